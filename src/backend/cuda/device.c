#include "backend/cuda/device.h"

#include "base/error.h"

#include <stdio.h>

enum { THREADS = 128, LOG_ROOM = 4096 };

/* Whether a call of the driver succeeded. */
static bool ok(sn_device *device, int result, const char *what) {
    if (result == 0) return true;
    if (!device->failed)
        snprintf(device->failure, sizeof device->failure, "%s failed: %s", what,
                 sn_driver_sentence(&device->driver, result));
    device->failed = true;
    return false;
}

sn_result sn_device_open(sn_device *device, const char *driver_name) {
    sn_driver *driver = &device->driver;
    SN_TRY(sn_driver_open(driver, driver_name));
    int result = driver->init(0);
    if (result == 0) result = driver->get_device(&device->number, 0);
    if (result == 0)
        result = driver->get_name(device->name, (int)sizeof device->name, device->number);
    if (result == 0) result = driver->retain_context(&device->context, device->number);
    if (result == 0) result = driver->set_context(device->context);
    if (result == 0) return SN_OK;
    return sn_fail(SN_ERROR_FILE, "cuda: no device: %s", sn_driver_sentence(driver, result));
}

void sn_device_close(sn_device *device) {
    if (device->context) device->driver.release_context(device->number);
    sn_driver_close(&device->driver);
}

bool sn_device_use(sn_device *device) {
    return !device->failed && ok(device, device->driver.set_context(device->context), "a context");
}

bool sn_device_wait(sn_device *device) {
    return !device->failed && ok(device, device->driver.wait(), "waiting");
}

/* ---- Kernels ---- */

sn_result sn_device_load(sn_device *device, const sn_cuda_module *from, void **module) {
    enum { ERROR_LOG = 5, ERROR_LOG_BYTES = 6 }; /* of the options of the driver */
    char log[LOG_ROOM] = "";
    int option[] = {ERROR_LOG, ERROR_LOG_BYTES};
    void *value[] = {log, (void *)(uintptr_t)sizeof log};
    int result = device->driver.load(module, from->text, 2, option, value);
    if (result == 0) return SN_OK;
    return sn_fail(SN_ERROR_DATA, "cuda: the kernels of %s are refused: %s; %s", from->name,
                   sn_driver_sentence(&device->driver, result), log);
}

void sn_device_unload(sn_device *device, void *module) {
    if (module) device->driver.unload(module);
}

sn_result sn_device_kernel(sn_device *device, void *module, const char *name, void **kernel) {
    int result = device->driver.get_function(kernel, module, name);
    if (result == 0) return SN_OK;
    return sn_fail(SN_ERROR_DATA, "cuda: there is no kernel %s: %s", name,
                   sn_driver_sentence(&device->driver, result));
}

bool sn_device_launch(sn_device *device, void *kernel, size_t items, void **parameter) {
    unsigned blocks = (unsigned)((items + THREADS - 1) / THREADS);
    if (items == 0) return true;
    return !device->failed &&
           ok(device,
              device->driver.launch(kernel, blocks, 1, 1, THREADS, 1, 1, 0, NULL, parameter, NULL),
              "a launch");
}

/* ---- Memory ---- */

bool sn_buffer_reserve(sn_device *device, sn_buffer *buffer, size_t bytes) {
    if (bytes <= buffer->capacity) return true;
    sn_buffer_free(device, buffer);
    if (device->driver.allocate(&buffer->at, bytes) != 0) return false;
    buffer->capacity = bytes;
    return true;
}

void sn_buffer_free(sn_device *device, sn_buffer *buffer) {
    if (buffer->capacity > 0) ok(device, device->driver.release(buffer->at), "giving memory back");
    *buffer = (sn_buffer){0};
}

bool sn_buffer_put(sn_device *device, sn_buffer *buffer, const void *from, size_t bytes) {
    return !device->failed &&
           ok(device, device->driver.upload(buffer->at, from, bytes), "an upload");
}

bool sn_buffer_get(sn_device *device, const sn_buffer *buffer, size_t at, void *to, size_t bytes) {
    return !device->failed &&
           ok(device, device->driver.download(to, buffer->at + at, bytes), "a download");
}
