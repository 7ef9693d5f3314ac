/* Two nodes that collide as balls alone. */
#define SN_KIND SN_CONTACT_POINT_POINT
#define SN_KIND_NAME point_point
#define SN_FIRST SN_SURFACE_CONTACT_LONE
#define SN_SECOND SN_SURFACE_CONTACT_LONE
#define SN_SEARCHED_FIRST SN_SURFACE_CONTACT_LONE
#define SN_SEARCHED_SECOND SN_SURFACE_CONTACT_LONE
#include "contact/surface/surface_kind.inl"
