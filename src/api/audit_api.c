/* The public calls of an energy audit. They change nothing that a recording would have to know. */
#include "api/check.h"
#include "base/error.h"
#include "step/audit.h"

sn_result sn_world_audit_start(sn_world *world) {
    SN_CHECK_WORLD(world);
    return sn_audit_start(world) ? SN_OK : SN_ERROR_MEMORY;
}

sn_result sn_world_audit_stop(sn_world *world) {
    SN_CHECK_WORLD(world);
    sn_audit_close(world);
    return SN_OK;
}

static sn_result check_audit(const sn_world *world, const char *call) {
    if (world->bindings.audit) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "%s: no audit is on; sn_world_audit_start begins one", call);
}

sn_result sn_world_get_audit(const sn_world *world, sn_audit *audit) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(audit);
    SN_TRY(check_audit(world, __func__));
    *audit = sn_audit_of_world(world->bindings.audit);
    return SN_OK;
}

sn_result sn_body_get_audit(const sn_world *world, sn_body body, sn_audit *audit) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(audit);
    SN_TRY(sn_check_body(world, body));
    SN_TRY(check_audit(world, __func__));
    *audit = sn_audit_of_body(world->bindings.audit, body.slot);
    return SN_OK;
}
