/*
 * The module itself, sinew.c in Python: the library as it is, with nothing added.
 */
#include "binding.h"

PyMODINIT_FUNC PyInit_c(void);

PyMODINIT_FUNC PyInit_c(void) {
    static PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                     .m_name = "sinew.c",
                                     .m_doc = "The C library: every public function and struct.",
                                     .m_size = -1};
    definition.m_methods = snpy_functions;
    PyObject *module = PyModule_Create(&definition);
    if (module && snpy_make_errors(module) && snpy_make_view(module) &&
        snpy_make_callback(module) && snpy_make_structs(module) && snpy_make_classes(module) &&
        snpy_add_constants(module) == 0 && snpy_add_draw(module))
        return module;
    Py_XDECREF(module);
    return NULL;
}
