/* What the server reads and answers: HTTP requests, WebSocket frames, by the examples of their RFCs
   and with what a hostile page would send. */
#include "check.h"

#include "web/server/http.h"
#include "web/server/sha1.h"
#include "web/server/websocket.h"

#include <stdio.h>
#include <string.h>

/* ---- The handshake ---- */

static bool digest_is(const char *text, const char *expected) {
    uint8_t digest[SHA1_SIZE];
    char hex[2 * SHA1_SIZE + 1];
    sha1(text, strlen(text), digest);
    for (int i = 0; i < SHA1_SIZE; i++) snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    return strcmp(hex, expected) == 0;
}

/* RFC 3174, section 7.3, and lengths on either side of a block. */
TEST(sha1_of_known_texts) {
    CHECK(digest_is("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"));
    CHECK(digest_is("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"));
    CHECK(digest_is("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                    "84983e441c3bd26ebaae4aa1f95129e5e54670f1"));
    char text[65] = "";
    for (int i = 0; i < 8; i++) strcat(text, "01234567");
    CHECK(digest_is(text, "e0c094e867ef46c350ef54a7f59dd60bed92ae83"));
}

/* RFC 4648, section 10. */
TEST(base64_of_known_texts) {
    static const char *const pairs[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        char text[16];
        base64((const uint8_t *)pairs[i][0], strlen(pairs[i][0]), text);
        CHECK(strcmp(text, pairs[i][1]) == 0);
    }
}

/* RFC 6455, section 1.3. */
TEST(the_handshake_of_the_standard) {
    char accept[WEBSOCKET_ACCEPT];
    CHECK(websocket_is_key("dGhlIHNhbXBsZSBub25jZQ=="));
    websocket_accept("dGhlIHNhbXBsZSBub25jZQ==", accept);
    CHECK(strcmp(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") == 0);
    CHECK(!websocket_is_key(""));
    CHECK(!websocket_is_key("dGhlIHNhbXBsZSBub25jZQ="));
    CHECK(!websocket_is_key("dGhlIHNhbXBsZSBub25jZQ==="));
    CHECK(!websocket_is_key("dGhlIHNhbXBsZSBub25j*Q=="));
}

/* ---- Frames ---- */

/* RFC 6455, section 5.7: "Hello", masked; and every shorter beginning of it needs more. */
TEST(a_frame_of_the_standard) {
    const uint8_t hello[] = {0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58};
    websocket_frame frame;
    for (size_t size = 0; size < sizeof hello; size++) {
        uint8_t data[sizeof hello];
        memcpy(data, hello, sizeof hello);
        CHECK(websocket_read(data, size, 100, &frame) == 0);
    }
    uint8_t data[sizeof hello];
    memcpy(data, hello, sizeof hello);
    CHECK(websocket_read(data, sizeof data, 100, &frame) == 1);
    CHECK(frame.kind == WEBSOCKET_TEXT && frame.last && frame.length == sizeof hello);
    CHECK(frame.size == 5 && memcmp(frame.data, "Hello", 5) == 0);
}

TEST(frames_that_break_the_rules_are_refused) {
    static const struct {
        uint8_t data[16];
        int result;
    } cases[] = {
        {{0x81, 0x05}, WEBSOCKET_BROKEN}, /* not masked */
        {{0xc1, 0x85}, WEBSOCKET_BROKEN}, /* an extension that was not agreed upon */
        {{0x83, 0x85}, WEBSOCKET_BROKEN}, /* kinds that there are not */
        {{0x8b, 0x85}, WEBSOCKET_BROKEN},
        {{0x89, 0xfe, 0x01, 0x00}, WEBSOCKET_BROKEN}, /* a long ping */
        {{0x09, 0x85}, WEBSOCKET_BROKEN},             /* a ping in parts */
        {{0x81, 0xfe, 0x00, 0x65}, WEBSOCKET_TOO_LONG},
        {{0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, WEBSOCKET_TOO_LONG},
        {{0x81, 0xfe, 0x00, 0x64}, 0}, /* just not too long, and not there yet */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t data[16];
        websocket_frame frame;
        check_case("%zu", i);
        memcpy(data, cases[i].data, sizeof data);
        CHECK(websocket_read(data, sizeof data, 100, &frame) == cases[i].result);
    }
}

/* A header that is written is read again, but for the mask. */
TEST(lengths_are_written_as_they_are_read) {
    static const size_t sizes[] = {0, 1, 125, 126, 127, 65535, 65536, 70000};
    static uint8_t data[WEBSOCKET_HEADER + 4 + 70000];
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        websocket_frame frame;
        check_case("%zu", sizes[i]);
        memset(data, 0, sizeof data);
        size_t header = websocket_header(WEBSOCKET_BINARY, sizes[i], data);
        data[1] |= 0x80;
        size_t whole = header + 4 + sizes[i];
        CHECK(websocket_read(data, whole - 1, 70000, &frame) == 0);
        CHECK(websocket_read(data, whole, 70000, &frame) == 1);
        CHECK(frame.kind == WEBSOCKET_BINARY && frame.size == sizes[i] && frame.length == whole);
    }
}

/* ---- Requests ---- */

static int parse(const char *text, http_request *request) {
    static char copy[HTTP_REQUEST_MOST];
    size_t length = strlen(text);
    memcpy(copy, text, length + 1);
    CHECK(http_request_length(copy, length) == length);
    return http_parse(copy, length, request);
}

static int path_status(const char *target, char path[HTTP_PATH]) {
    char text[2 * HTTP_PATH];
    http_request request;
    snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: localhost:1\r\n\r\n", target);
    int status = parse(text, &request);
    memcpy(path, request.path, HTTP_PATH);
    return status;
}

TEST(a_request_is_read) {
    http_request request;
    CHECK(parse("GET /a/b%20c.html?x=1 HTTP/1.1\r\nhOsT:\t localhost:80 \r\nOrigin: o\r\n"
                "Upgrade: websocket\r\nSec-WebSocket-Key: k\r\nSec-WebSocket-Version: 13\r\n\r\n",
                &request) == 0);
    CHECK(strcmp(request.method, "GET") == 0 && strcmp(request.path, "a/b c.html") == 0);
    CHECK(strcmp(request.query, "x=1") == 0 && strcmp(request.host, "localhost:80") == 0);
    CHECK(strcmp(request.origin, "o") == 0 && strcmp(request.upgrade, "websocket") == 0);
    CHECK(strcmp(request.key, "k") == 0 && strcmp(request.version, "13") == 0 && request.keep);
    CHECK(parse("GET / HTTP/1.1\r\nConnection: close\r\n\r\n", &request) == 0 && !request.keep);
    CHECK(parse("GET / HTTP/1.0\r\n\r\n", &request) == 0 && !request.keep && !*request.path);
}

TEST(no_path_leads_out_of_the_folder) {
    static const struct {
        const char *target;
        int status;
    } cases[] = {
        {"/", 0},
        {"/a/", 0},
        {"/a/b.js", 0},
        {"/..", 403},
        {"/a/../b", 403},
        {"/%2e%2e/b", 403},
        {"/a/%2e%2E%2f", 403},
        {"/.git/config", 403},
        {"//etc/passwd", 403},
        {"/%2fetc", 403},
        {"/a//b", 403},
        {"/a%00b", 400},
        {"/a%0d%0ab", 400},
        {"/a%5c..%5cb", 400},
        {"/a%", 400},
        {"/a%2", 400},
        {"/a%zz", 400},
        {"a", 400},
        {"http://elsewhere/", 400},
    };
    char path[HTTP_PATH];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_case("%s", cases[i].target);
        CHECK(path_status(cases[i].target, path) == cases[i].status);
    }
    /* %252e is decoded once: the name of a file that does not exist. */
    CHECK(path_status("/%252e", path) == 0 && strcmp(path, "%2e") == 0);
    char far[HTTP_PATH + 8];
    memset(far, 'a', sizeof far - 1);
    far[0] = '/';
    far[sizeof far - 1] = 0;
    CHECK(path_status(far, path) == 414);
    far[HTTP_PATH] = 0;
    CHECK(path_status(far, path) == 0);
}

TEST(what_is_no_request_is_refused) {
    http_request request;
    static const char *const texts[] = {
        "\r\n\r\n",
        "GET\r\n\r\n",
        "GET /\r\n\r\n",
        "GET / HTTP/2\r\n\r\n",
        "GET / HTTP/1.1\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\n: no name\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        check_case("%zu", i);
        CHECK(parse(texts[i], &request) == 400);
    }
    CHECK(parse("GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\n", &request) == 413);
    CHECK(parse("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", &request) == 413);
    char zero[] = "GET /\0 HTTP/1.1\r\n\r\n";
    CHECK(http_parse(zero, sizeof zero - 1, &request) == 400);
}

TEST(other_hosts_and_pages_are_told_apart) {
    CHECK(http_is_own_host("127.0.0.1:8080", 8080) && http_is_own_host("LocalHost:8080", 8080));
    CHECK(!http_is_own_host("127.0.0.1:8081", 8080) && !http_is_own_host("127.0.0.1", 8080));
    CHECK(!http_is_own_host("elsewhere.example:8080", 8080) && !http_is_own_host("", 8080));
    CHECK(http_is_own_origin("http://localhost:8080", 8080));
    CHECK(!http_is_own_origin("https://localhost:8080", 8080));
    CHECK(!http_is_own_origin("http://localhost:8080.elsewhere.example", 8080));
    CHECK(!http_is_own_origin("null", 8080) && !http_is_own_origin("", 8080));
    CHECK(strcmp(http_content_type("a.HTML"), "text/html; charset=utf-8") == 0);
    CHECK(strcmp(http_content_type("html"), "application/octet-stream") == 0);
}

/* Any bytes: nothing is read beyond them, which sanitizers see, and every frame ends. */
TEST(any_bytes) {
    static uint8_t data[512], copy[512];
    uint32_t random = 1;
    for (int round = 0; round < 20000; round++) {
        size_t size = (size_t)(round % (int)sizeof data);
        for (size_t i = 0; i < size; i++) {
            random = random * 1664525u + 1013904223u;
            static const char likely[] = "GET / HTTP/1.1\r\n\r\n:%.";
            data[i] = round & 1 ? (uint8_t)(random >> 24)
                                : (uint8_t)likely[(random >> 24) % (sizeof likely - 1)];
        }
        websocket_frame frame;
        memcpy(copy, data, size);
        if (websocket_read(copy, size, 300, &frame) == 1)
            CHECK(frame.length <= size && frame.size <= 300);
        http_request request;
        size_t length = http_request_length((char *)data, size);
        if (length > 0 && http_parse((char *)data, length, &request) == 0)
            CHECK(strlen(request.path) < HTTP_PATH);
    }
}

TESTS(RUN(sha1_of_known_texts), RUN(base64_of_known_texts), RUN(the_handshake_of_the_standard),
      RUN(a_frame_of_the_standard), RUN(frames_that_break_the_rules_are_refused),
      RUN(lengths_are_written_as_they_are_read), RUN(a_request_is_read),
      RUN(no_path_leads_out_of_the_folder), RUN(what_is_no_request_is_refused),
      RUN(other_hosts_and_pages_are_told_apart), RUN(any_bytes))
