#include "backend/cuda/driver.h"

#include "base/error.h"

#include <dlfcn.h>
#include <string.h>

static const struct {
    const char *name;
    size_t at;
} functions[] = {
#define ROW(member, name, parameters) {#name, offsetof(sn_driver, member)},
    SN_DRIVER_FUNCTIONS(ROW)
#undef ROW
};

sn_result sn_driver_open(sn_driver *driver, const char *library) {
    *driver = (sn_driver){.library = dlopen(library ? library : "libcuda.so.1", RTLD_NOW)};
    if (!driver->library) return sn_fail(SN_ERROR_FILE, "cuda: no driver: %s", dlerror());
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *found = dlsym(driver->library, functions[i].name);
        if (!found) {
            sn_driver_close(driver);
            return sn_fail(SN_ERROR_FILE, "cuda: the driver has no function %s", functions[i].name);
        }
        /* ISO C has no conversion of an object pointer to a function pointer; POSIX says that they
           are alike. */
        memcpy((char *)driver + functions[i].at, &found, sizeof found);
    }
    return SN_OK;
}

void sn_driver_close(sn_driver *driver) {
    if (driver->library) dlclose(driver->library);
    *driver = (sn_driver){0};
}

const char *sn_driver_sentence(const sn_driver *driver, int result) {
    const char *sentence = NULL;
    return driver->describe(result, &sentence) == 0 && sentence ? sentence : "unknown error";
}
