"""Markdown as the pages of Sinew use it, as HTML, with what is wrong with its markup.

Headings, paragraphs, lists in lists, tables, quotes, indented and fenced code; in lines code, bold,
italic, links, pictures and <br>. What other renderers read in several ways is a complaint, so that
a page looks the same wherever it is read.
"""

import html
import re

FENCE = re.compile(r"```\s*(.*)$")
HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*$")
ITEM = re.compile(r"(\s*)([-*+]|\d+\.)\s+(.*)$")
DIVIDER = re.compile(r"\s*\|?(\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?\s*$")
CODE = re.compile(r"(`+)(.+?)\1(?!`)", re.S)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]*)\)")
TAG = re.compile(r"<(?!br>)/?[A-Za-z][^>]*>")
KEPT = "\x00%d\x00"


def anchor(text):
    """The name by which a heading is linked to, as GitHub makes it."""
    text = LINK.sub(r"\2", text).lower()
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", text).strip())


def plain(text):
    """A line without its marks."""
    return re.sub(r"\*\*?|`", "", LINK.sub(r"\2", text)).strip()


def cells(line):
    """The cells of a row of a table: a | that is escaped or in code divides nothing."""
    line = line.strip().removeprefix("|")
    found, cell, code, at = [], "", False, 0
    while at < len(line):
        if line[at] == "\\" and line[at + 1 : at + 2] == "|":
            cell, at = cell + "|", at + 2
            continue
        if line[at] == "`":
            code = not code
        if line[at] == "|":
            found.append((cell.strip(), code))
            cell, code = "", False
        else:
            cell += line[at]
        at += 1
    if cell.strip():
        found.append((cell.strip(), code))
    return found


class Page:
    """One page: its HTML, headings, links and complaints."""

    def __init__(self, text, link=lambda target, picture: target):
        self.lines = text.expandtabs(4).split("\n")
        self.link = link
        self.headings = []  # (level, name, text)
        self.links = []  # (line, target)
        self.complaints = []  # (line, sentence)
        self.names = {}
        self.html = self.blocks(self.lines, 1)

    def complain(self, line, sentence):
        self.complaints.append((line, sentence))

    # ---- Lines ----

    def inline(self, text, line):
        kept = []

        def keep(piece):
            kept.append(piece)
            return KEPT % (len(kept) - 1)

        text = CODE.sub(lambda m: keep("<code>%s</code>" % html.escape(m.group(2).strip())), text)
        if "`" in text:
            self.complain(line, "a ` has no partner")
        for tag in TAG.findall(text):
            self.complain(line, f"{tag} is HTML, which pages do without")
        text = html.escape(text, quote=False).replace("&lt;br&gt;", "<br>")

        def linked(m):
            self.links.append((line, html.unescape(m.group(3))))
            target = html.escape(self.link(html.unescape(m.group(3)), bool(m.group(1))))
            if m.group(1):
                return keep(f'<img src="{target}" alt="{html.escape(m.group(2))}" loading="lazy">')
            return keep(f'<a href="{target}">') + m.group(2) + keep("</a>")

        text = LINK.sub(linked, text)
        if "](" in text:
            self.complain(line, "]( belongs to no link")
        text = re.sub(r"(https?://[^\s<>)]*[^\s<>).,;:])",
                      lambda m: keep(f'<a href="{m.group(1)}">{m.group(1)}</a>'), text)
        text = re.sub(r"\*\*(\S(?:.*?\S)?)\*\*", r"<strong>\1</strong>", text, flags=re.S)
        text = re.sub(r"(?<![\w*])\*(\S(?:[^*]*?\S)?)\*(?![\w*])", r"<em>\1</em>", text)
        if "**" in text:
            self.complain(line, "** has no partner")
        while "\x00" in text:
            text = re.sub(r"\x00(\d+)\x00", lambda m: kept[int(m.group(1))], text)
        return text

    # ---- Blocks ----

    def blocks(self, lines, first):
        out, i = [], 0
        while i < len(lines):
            line = lines[i]
            if not line.strip():
                i += 1
                continue
            for kind in (self.fence, self.heading, self.table, self.items, self.quote, self.indented):
                taken = kind(lines, i, first, out)
                if taken:
                    i += taken
                    break
            else:
                i += self.paragraph(lines, i, first, out)
        return "\n".join(out)

    def fence(self, lines, i, first, out):
        begin = FENCE.match(lines[i])
        if not begin:
            return 0
        end = next((k for k in range(i + 1, len(lines)) if lines[k].startswith("```")), None)
        if end is None:
            self.complain(first + i, "``` is never closed")
            end = len(lines)
        words = begin.group(1).split()
        if len(words) > 1:
            out.append(f'<p class="file">{html.escape(words[1])}</p>')
        kind = html.escape(words[0]) if words else "text"
        text = html.escape("\n".join(lines[i + 1 : end]), quote=False)
        out.append(f'<pre class="{kind}"><code>{text}</code></pre>')
        return end + 1 - i

    def heading(self, lines, i, first, out):
        found = HEADING.match(lines[i])
        if not found:
            return 0
        level, text = len(found.group(1)), found.group(2)
        if self.headings and level > self.headings[-1][0] + 1:
            self.complain(first + i, f'"{text}" is a heading of level {level} '
                                     f"below one of level {self.headings[-1][0]}")
        name = anchor(text)
        self.names[name] = self.names.get(name, 0) + 1
        if self.names[name] > 1:
            name += f"-{self.names[name] - 1}"
        self.headings.append((level, name, plain(text)))
        out.append(f'<h{level} id="{name}">{self.inline(text, first + i)}'
                   f'<a class="here" href="#{name}" aria-label="link to this">#</a></h{level}>')
        return 1

    def table(self, lines, i, first, out):
        if "|" not in lines[i] or i + 1 == len(lines) or not DIVIDER.match(lines[i + 1]):
            if lines[i].lstrip().startswith("|"):
                self.complain(first + i, "a row of a table, but there is no line of dashes below "
                                         "the first")
            return 0
        end = i + 2
        while end < len(lines) and lines[end].strip().startswith("|"):
            end += 1
        if end < len(lines) and lines[end].strip():
            self.complain(first + end, "a table runs into what follows it: an empty line is lacking")
        width = len(cells(lines[i]))
        side = ["right" if c.endswith(":") and not c.startswith(":") else "" for c, _ in
                cells(lines[i + 1])]
        if len(side) != width:
            self.complain(first + i + 1, f"{len(side)} columns of dashes below {width} of names")
        out.append('<div class="table"><table>')
        for k in [i, *range(i + 2, end)]:
            row = cells(lines[k])
            if len(row) != width:
                self.complain(first + k, f"a row with {len(row)} cells in a table with {width}")
            if any(code for _, code in row):
                self.complain(first + k, "a | within code divides cells: write \\|")
            cell = "th" if k == i else "td"
            out.append("<tr>" + "".join(
                f'<{cell}{" class=right" if s else ""}>{self.inline(text, first + k)}</{cell}>'
                for (text, _), s in zip(row, side + [""] * len(row))) + "</tr>")
        out.append("</table></div>")
        return end - i

    def items(self, lines, i, first, out):
        begin = ITEM.match(lines[i])
        if not begin or len(begin.group(1)) > 3:
            return 0
        ordered = begin.group(2)[0].isdigit()
        out.append("<ol>" if ordered else "<ul>")
        at = i
        while at < len(lines):
            item = ITEM.match(lines[at])
            if not item or len(item.group(1)) > 3 or item.group(2)[0].isdigit() != ordered:
                break
            inner = len(item.group(1)) + len(item.group(2)) + 1
            end = at + 1
            while end < len(lines) and self.goes_on(lines, end, inner):
                end += 1
            own = [item.group(3)] + [self.outdent(line, inner) for line in lines[at + 1 : end]]
            text = self.blocks(own, first + at)
            if text.count("<p>") == 1 and text.startswith("<p>"):
                text = text.replace("<p>", "", 1).replace("</p>", "", 1)
            out.append(f"<li>{text}</li>")
            at = end
            while at < len(lines) and not lines[at].strip() and at + 1 < len(lines) \
                    and ITEM.match(lines[at + 1]):
                at += 1
        out.append("</ol>" if ordered else "</ul>")
        return at - i

    @staticmethod
    def goes_on(lines, k, inner):
        """Whether a line belongs to an item whose text begins in a column."""
        line = lines[k]
        if not line.strip():
            rest = next((later for later in lines[k:] if later.strip()), "")
            return rest.startswith(" " * inner)
        if line.startswith(" " * inner):
            return True
        return bool(lines[k - 1].strip()) and not ITEM.match(line) and not HEADING.match(line) \
            and not FENCE.match(line)

    @staticmethod
    def outdent(line, inner):
        return line[min(inner, len(line) - len(line.lstrip())):]

    def quote(self, lines, i, first, out):
        end = i
        while end < len(lines) and lines[end].startswith(">"):
            end += 1
        if end > i:
            inner = self.blocks([re.sub(r"^> ?", "", line) for line in lines[i:end]], first + i)
            out.append(f"<blockquote>{inner}</blockquote>")
        return end - i

    def indented(self, lines, i, first, out):
        if not lines[i].startswith("    "):
            return 0
        end = i
        while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
            end += 1
        if end < len(lines) and lines[end - 1].strip():
            self.complain(first + end, "code runs into what follows it: an empty line is lacking")
        text = "\n".join(line[4:] for line in lines[i:end]).rstrip()
        out.append(f"<pre><code>{html.escape(text, quote=False)}</code></pre>")
        return end - i

    def paragraph(self, lines, i, first, out):
        end = i + 1
        while end < len(lines) and lines[end].strip() and not HEADING.match(lines[end]) \
                and not FENCE.match(lines[end]) and not lines[end].startswith(">") \
                and not (ITEM.match(lines[end]) and lines[end].lstrip()[0] in "-*+") \
                and not lines[end].startswith("|"):
            end += 1
        if end < len(lines) and lines[end].startswith("|"):
            self.complain(first + end, "a table runs into what is before it: an empty line is lacking")
        out.append("<p>%s</p>" % self.inline("\n".join(lines[i:end]), first + i))
        return end - i
