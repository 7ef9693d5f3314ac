/* A node that collides as a ball, and an edge that belongs to no triangle. */
#define SN_KIND SN_CONTACT_POINT_SEGMENT
#define SN_KIND_NAME point_segment
#define SN_FIRST SN_SURFACE_CONTACT_LONE
#define SN_SECOND SN_SURFACE_CONTACT_SEGMENT
#define SN_SEARCHED_FIRST SN_SURFACE_CONTACT_LONE
#define SN_SEARCHED_SECOND SN_SURFACE_CONTACT_SEGMENT
#include "contact/surface/surface_kind.inl"
