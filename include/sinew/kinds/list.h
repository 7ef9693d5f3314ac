/*
 * The list of kinds of bodies: the one place where a kind is registered.
 *
 * Included plainly, it brings in the materials of all kinds. Included with SN_LIST_KIND(lower,
 * upper) defined, it expands that for every kind in turn. New kinds go to the end.
 */
#include <sinew/kinds/particles.h>
#include <sinew/kinds/rope.h>
#include <sinew/kinds/rod.h>
#include <sinew/kinds/cloth.h>
#include <sinew/kinds/solid.h>
#include <sinew/kinds/shape.h>
#include <sinew/kinds/oriented.h>
#include <sinew/kinds/fluid.h>
#include <sinew/kinds/hair.h>
#include <sinew/kinds/gas.h>
