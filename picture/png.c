#include "picture/picture_texture.h"

#include <sinew/support.h>
#include <sinew_io/file.h>

#include <png.h>

#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>

/* Z_RLE of zlib. */
enum { rle = 3 };

static void png_failed(png_structp png, png_const_charp sentence) {
    sn_fail(SN_ERROR_FILE, "cannot encode a picture: %s", sentence);
    longjmp(png_jmpbuf(png), 1);
}

static void png_warned(png_structp png, png_const_charp sentence) {
    (void)png;
    (void)sentence;
}

static bool encode(png_structp png, png_infop info, FILE *stream, const sn_picture_image *image) {
    if (setjmp(png_jmpbuf(png))) return false;
    png_init_io(png, stream);
    /* Rows of a picture seldom have more in common than runs: a fifth of the time, a quarter more
       bytes than by looking for more. */
    png_set_compression_strategy(png, rle);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    png_set_IHDR(png, info, (png_uint_32)image->width, (png_uint_32)image->height, 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    for (int y = 0; y < image->height; y++)
        png_write_row(png, image->rgb + (size_t)y * (size_t)image->width * 3);
    png_write_end(png, info);
    return true;
}

sn_result sn_picture_png_write(const char *path, const sn_picture_image *image) {
    sn_io_file file;
    SN_TRY(sn_io_file_open(&file, path));
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, png_failed, png_warned);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool encoded = info && encode(png, info, file.stream, image);
    sn_result result = encoded ? SN_OK : SN_ERROR_FILE;
    if (!info) result = sn_fail(SN_ERROR_MEMORY, "cannot write \"%s\": libpng has no memory", path);
    int number = errno;
    png_destroy_write_struct(&png, &info);
    errno = number;
    /* Closing the file reports a failed write better, with its name and the system's reason. */
    if (!encoded && !ferror(file.stream)) {
        sn_io_file_discard(&file);
        return result;
    }
    return sn_io_file_close(&file);
}

sn_result sn_png_decode(const uint8_t *bytes, size_t count, sn_picture_image *image) {
    png_image png = {.version = PNG_IMAGE_VERSION};
    *image = (sn_picture_image){0};
    bool read = png_image_begin_read_from_memory(&png, bytes, count) != 0;
    bool fits = read && png.width <= TEXTURE_MOST && png.height <= TEXTURE_MOST;
    png.format = PNG_FORMAT_RGB;
    if (fits) *image = (sn_picture_image){(int)png.width, (int)png.height, NULL};
    if (fits) image->rgb = malloc(PNG_IMAGE_SIZE(png));
    const png_color white = {255, 255, 255}; /* behind what can be seen through */
    if (image->rgb) read = png_image_finish_read(&png, &white, image->rgb, 0, NULL) != 0;
    sn_result result = SN_OK;
    if (!read)
        result = sn_fail(SN_ERROR_DATA, "cannot read a texture: %.64s", png.message);
    else if (!fits)
        result = sn_fail(SN_ERROR_LIMIT, "a texture has %u x %u pixels, expected at most %d",
                         (unsigned)png.width, (unsigned)png.height, TEXTURE_MOST);
    else if (!image->rgb)
        result = sn_fail(SN_ERROR_MEMORY, "there is no memory for a texture");
    png_image_free(&png);
    if (result != SN_OK) sn_picture_image_free(image);
    return result;
}
