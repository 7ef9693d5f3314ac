/* Any bytes as a JPEG: pixels, as many as it says, or a sentence. */
#include "picture/jpeg.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { MOST = 256 };
    sn_picture_image image;
    sn_result result = sn_jpeg_decode(data, size, MOST, &image);
    FUZZ_EXPECT((result == SN_OK) == (image.rgb != NULL));
    if (result == SN_OK)
        FUZZ_EXPECT(image.width >= 1 && image.width <= MOST && image.height >= 1 &&
                    image.height <= MOST);
    sn_picture_image_free(&image);
    return 0;
}
