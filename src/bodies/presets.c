/*
 * Materials by name. Fabrics, tissues and foams vary by a factor of two or more around these
 * numbers, in each direction; they are meant to start from.
 */
#include "bodies/kind.h"

#include <string.h>

enum { MOST_VALUES = 12 };

typedef struct preset {
    sn_preset_info info;
    struct {
        const char *field;
        double value;
    } values[MOST_VALUES];
} preset;

/* Bending stiffness of fabrics is what the Kawabata evaluation system (KES) calls B; 1 gf cm^2/cm
   is 9.81e-5 N m. Stretching is the secant modulus at small loads: stretch_stiffness for the sheet
   as a whole, and warp and weft around it, with the same geometric mean. Shear is what the KES
   calls G; 1 gf/(cm deg) is 56 N/m. Sheets that are not woven have E t and E t^3 / (12 (1 - nu^2));
   the shear of paper is 0.387 times the geometric mean of its moduli (Baum 1981). */
#define KES "mass and thickness of the fabric; B and tensile data typical of the KES, Kawabata 1980"
#define PLATE "E, nu, density and thickness as for plates: E t and E t^3 / (12 (1 - nu^2))"

/* A page that loads the library shows names alone. */
#ifdef SN_FEW_TEXTS
#define NAMED(kind, name, meaning, source)                                                         \
    { kind, name, "", "" }
#else
#define NAMED(kind, name, meaning, source)                                                         \
    { kind, name, meaning, source }
#endif

static const preset presets[] = {
    {NAMED(SN_KIND_PARTICLES, "glass", "glass beads of 1 cm", "soda-lime glass, 2500 kg/m^3"),
     {{"radius", 0.005}, {"density", 2500}}},
    {NAMED(SN_KIND_PARTICLES, "gravel", "crushed granite of 1 cm", "granite, 2700 kg/m^3"),
     {{"radius", 0.005}, {"density", 2700}}},
    {NAMED(SN_KIND_PARTICLES, "sand", "grains of quartz of 2 mm", "quartz, 2650 kg/m^3"),
     {{"radius", 0.001}, {"density", 2650}}},
    {NAMED(SN_KIND_PARTICLES, "snow", "grains of wet snow of 2 mm, which hold each other",
           "ice, 917 kg/m^3; surface tension of water at 0 C, 0.0757 N/m (IAPWS)"),
     {{"radius", 0.001}, {"density", 917}, {"cohesion", 0.0757}}},
    {NAMED(SN_KIND_PARTICLES, "wet_sand", "grains of quartz of 2 mm with water between them",
           "as sand; surface tension of water at 20 C, 0.0728 N/m (IAPWS)"),
     {{"radius", 0.001}, {"density", 2650}, {"cohesion", 0.0728}}},
    {NAMED(SN_KIND_ROPE, "bungee", "elastic cord of 1 cm",
           "natural rubber, E = 1.5 MPa (MatWeb: shear modulus 0.5 MPa)"),
     {{"radius", 0.005}, {"density", 930}, {"young", 1.5e6}, {"damping", 0.005}, {"slack", 1}}},
    {NAMED(SN_KIND_ROPE, "hemp", "hemp rope of 1 cm",
           "manila and hemp ropes stretch by about 10 % at half their strength; E = 0.5 GPa"),
     {{"radius", 0.005}, {"density", 900}, {"young", 5e8}, {"slack", 1}}},
    {NAMED(SN_KIND_ROPE, "nylon", "braided nylon rope of 1 cm",
           "nylon ropes stretch by about 20 % at half their strength; E = 0.3 GPa"),
     {{"radius", 0.005}, {"density", 1140}, {"young", 3e8}, {"slack", 1}}},
    {NAMED(SN_KIND_ROPE, "steel", "wire rope of 1 cm",
           "typical range of wire ropes: 50 to 110 GPa of the full circle"),
     {{"radius", 0.005}, {"density", 4500}, {"young", 1e11}, {"slack", 1}}},
    {NAMED(SN_KIND_ROD, "hair", "a human hair of 80 um",
           "Robbins, Chemical and Physical Behavior of Human Hair: E = 4 GPa, 1320 kg/m^3"),
     {{"radius", 4e-5}, {"density", 1320}, {"young", 4e9}, {"poisson", 0.4}}},
    {NAMED(SN_KIND_ROD, "rubber", "a rubber cord of 1 cm",
           "natural rubber, E = 1.5 MPa (MatWeb: shear modulus 0.5 MPa), nu = 0.5"),
     {{"radius", 0.005}, {"density", 930}, {"young", 1.5e6}, {"poisson", 0.5}}},
    {NAMED(SN_KIND_ROD, "steel", "steel wire of 2 mm", "steel, E = 200 GPa, nu = 0.3, 7850 kg/m^3"),
     {{"radius", 0.001}, {"density", 7850}, {"young", 2e11}, {"poisson", 0.3}}},
    {NAMED(SN_KIND_ROD, "wood", "a willow rod of 6 mm",
           "typical range of willow along the grain: 7 to 10 GPa, 400 to 500 kg/m^3"),
     {{"radius", 0.003}, {"density", 450}, {"young", 8e9}, {"poisson", 0.4}}},
    {NAMED(SN_KIND_CLOTH, "cotton", "shirt cotton, 150 g/m^2",
           "mass and thickness: Penava et al. 2014, plain weave; B and tensile data typical of the "
           "KES"),
     {{"area_density", 0.150},
      {"stretch_stiffness", 7000},
      {"bending_stiffness", 7e-6},
      {"stretch_damping", 0.002},
      {"bending_damping", 0.02},
      {"warp_stiffness", 9000},
      {"weft_stiffness", 5400},
      {"shear_stiffness", 45},
      {"thickness", 0.00032}}},
    {NAMED(SN_KIND_CLOTH, "denim", "11 oz denim, 324 g/m^2",
           "mass: Wang et al. 2011, 11 oz black denim; B typical of the KES, Kawabata 1980"),
     {{"area_density", 0.324},
      {"stretch_stiffness", 16000},
      {"bending_stiffness", 6e-5},
      {"stretch_damping", 0.002},
      {"bending_damping", 0.02},
      {"warp_stiffness", 20000},
      {"weft_stiffness", 12800},
      {"shear_stiffness", 150},
      {"thickness", 0.0007}}},
    {NAMED(SN_KIND_CLOTH, "jersey", "knitted cotton, 190 g/m^2", KES),
     {{"area_density", 0.190},
      {"stretch_stiffness", 1200},
      {"bending_stiffness", 3e-6},
      {"stretch_damping", 0.005},
      {"bending_damping", 0.02},
      {"warp_stiffness", 1600},
      {"weft_stiffness", 900},
      {"shear_stiffness", 35},
      {"thickness", 0.0006}}},
    {NAMED(SN_KIND_CLOTH, "leather", "garment leather of 1 mm", PLATE ", E = 50 MPa"),
     {{"area_density", 0.700},
      {"stretch_stiffness", 50000},
      {"bending_stiffness", 2e-3},
      {"stretch_damping", 0.001},
      {"bending_damping", 0.01},
      {"poisson", 0.4},
      {"thickness", 0.001}}},
    {NAMED(SN_KIND_CLOTH, "paper", "office paper, 80 g/m^2",
           PLATE ", E = 4 GPa, t = 0.1 mm, nu = 0.3"),
     {{"area_density", 0.080},
      {"stretch_stiffness", 4e5},
      {"bending_stiffness", 3.7e-4},
      {"bending_damping", 0.002},
      {"warp_stiffness", 5.5e5},
      {"weft_stiffness", 2.9e5},
      {"shear_stiffness", 1.55e5},
      {"thickness", 0.0001}}},
    {NAMED(SN_KIND_CLOTH, "rubber", "a rubber sheet of 0.5 mm",
           PLATE ", natural rubber, E = 1.5 MPa, nu = 0.5, 930 kg/m^3"),
     {{"area_density", 0.465},
      {"stretch_stiffness", 750},
      {"bending_stiffness", 2.08e-5},
      {"stretch_damping", 0.002},
      {"bending_damping", 0.005},
      {"poisson", 0.5},
      {"thickness", 0.0005}}},
    {NAMED(SN_KIND_CLOTH, "silk", "light silk, 60 g/m^2", KES),
     {{"area_density", 0.060},
      {"stretch_stiffness", 10000},
      {"bending_stiffness", 2e-6},
      {"stretch_damping", 0.002},
      {"bending_damping", 0.02},
      {"warp_stiffness", 12000},
      {"weft_stiffness", 8300},
      {"shear_stiffness", 17},
      {"thickness", 0.00015}}},
    {NAMED(SN_KIND_CLOTH, "wool", "wool suiting, 235 g/m^2",
           "mass and thickness: Penava et al. 2014; B and tensile data typical of the KES"),
     {{"area_density", 0.235},
      {"stretch_stiffness", 6000},
      {"bending_stiffness", 1.2e-5},
      {"stretch_damping", 0.002},
      {"bending_damping", 0.02},
      {"warp_stiffness", 7000},
      {"weft_stiffness", 5100},
      {"shear_stiffness", 40},
      {"thickness", 0.00057}}},
    {NAMED(SN_KIND_SOLID, "auxetic", "foam that grows thicker when it is stretched",
           "Lakes 1987, re-entrant polyester foam: E = 72 kPa, nu = -0.7"),
     {{"density", 90}, {"young", 7.2e4}, {"poisson", -0.7}, {"damping", 0.02}, {"model", 2}}},
    {NAMED(SN_KIND_SOLID, "clay", "soft wet clay, which keeps its dents",
           "Terzaghi and Peck 1948: soft clay has an undrained strength of 12 to 25 kPa, here 20; "
           "E is "
           "50 times that, so it yields at 4 %"),
     {{"density", 1800},
      {"young", 1e6},
      {"poisson", 0.45},
      {"damping", 0.005},
      {"plastic_yield", 0.04},
      {"plastic_creep", 20},
      {"plastic_limit", 2}}},
    {NAMED(
         SN_KIND_SOLID, "fat", "subcutaneous fat",
         "Comley and Fleck 2010: E about 3 kPa; living tissue under a light load up to 26 kPa (J. "
         "Phys. Ther. Sci. 34, 777)"),
     {{"density", 920}, {"young", 3e3}, {"poisson", 0.49}, {"damping", 0.02}}},
    {NAMED(SN_KIND_SOLID, "flesh", "relaxed muscle",
           "Fung, Biomechanics: E of 10 to 100 kPa; living muscle under a light load 62 kPa (J. "
           "Phys. "
           "Ther. Sci. 34, 777)"),
     {{"density", 1060}, {"young", 3e4}, {"poisson", 0.49}, {"damping", 0.01}}},
    {NAMED(SN_KIND_SOLID, "foam", "soft polyurethane foam",
           "Gibson and Ashby, Cellular Solids: flexible foams of 30 kg/m^3, E about 0.1 MPa, nu "
           "about "
           "0.3"),
     {{"density", 30}, {"young", 1e5}, {"poisson", 0.3}, {"damping", 0.02}}},
    {NAMED(SN_KIND_SOLID, "gelatin", "gelatine of 20 %",
           "Bonavia 2025, as jelly: 79 kPa at 4 parts of water"),
     {{"density", 1060}, {"young", 8e4}, {"poisson", 0.48}, {"damping", 0.002}}},
    {NAMED(SN_KIND_SOLID, "jelly", "gelatine of 10 %",
           "Bonavia 2025 (arXiv 2512.20502): 277 kPa at 2 parts of water, 4.3 kPa at 20, a power "
           "law, "
           "which is 18 kPa at 9"),
     {{"density", 1030}, {"young", 2e4}, {"poisson", 0.48}, {"damping", 0.002}}},
    {NAMED(SN_KIND_SOLID, "muscle",
           "skeletal muscle with fibres along x, which `activation` shortens",
           "Fung, Biomechanics: passive as flesh; 0.3 MPa of tension at its length at rest, and "
           "shortening by up to 30 %"),
     {{"density", 1060},
      {"young", 3e4},
      {"poisson", 0.49},
      {"damping", 0.01},
      {"fibre_stiffness", 1e6},
      {"contraction", 0.7}}},
    {NAMED(SN_KIND_SOLID, "rubber", "natural rubber",
           "MatWeb, vulcanised natural rubber: shear modulus 0.5 MPa, 1.5 MPa at 100 % strain; 930 "
           "to "
           "950 kg/m^3"),
     {{"density", 930}, {"young", 1.5e6}, {"poisson", 0.49}, {"damping", 0.001}}},
    {NAMED(SN_KIND_SOLID, "silicone", "soft casting silicone",
           "Ecoflex 00-30, Smooth-On: 69 kPa at 100 % strain, 1070 kg/m^3"),
     {{"density", 1070}, {"young", 7e4}, {"poisson", 0.49}, {"damping", 0.002}}},
    {NAMED(SN_KIND_SHAPE, "clay", "soft wet clay, which keeps its dents",
           "as the solid of this name"),
     {{"density", 1800},
      {"young", 1e6},
      {"deformation", 1},
      {"beta", 0.93},
      {"damping", 0.005},
      {"plastic_yield", 0.04},
      {"plastic_creep", 20},
      {"plastic_limit", 2}}},
    {NAMED(SN_KIND_SHAPE, "foam", "soft polyurethane foam", "as the solid of this name"),
     {{"density", 30}, {"young", 1e5}, {"deformation", 1}, {"beta", 0.69}, {"damping", 0.02}}},
    {NAMED(SN_KIND_SHAPE, "jelly", "gelatine of 10 %",
           "as the solid of this name; Poisson's ratio is beta / (3 - beta)"),
     {{"density", 1030}, {"young", 2e4}, {"deformation", 1}, {"beta", 0.97}, {"damping", 0.002}}},
    {NAMED(SN_KIND_FLUID, "honey", "honey at 20 C",
           "typical range of honeys: 2 to 20 Pa s; 10 Pa s and 1420 kg/m^3 are 7e-3 m^2/s"),
     {{"density", 1420}, {"viscosity", 7e-3}}},
    {NAMED(SN_KIND_FLUID, "oil", "olive oil at 20 C",
           "typical of olive oil: 0.084 Pa s and 915 kg/m^3, which are 9.2e-5 m^2/s"),
     {{"density", 915}, {"viscosity", 9.2e-5}}},
    {NAMED(SN_KIND_FLUID, "water", "water at 20 C",
           "IAPWS: 1.0016 mPa s and 998.2 kg/m^3, which are 1.0034e-6 m^2/s"),
     {{"density", 998.2}, {"viscosity", 1.0034e-6}}},
    {NAMED(SN_KIND_GAS, "helium", "helium at 20 C",
           "ideal gas, 4.0026 g/mol at 101.325 kPa and 293.15 K: 0.166 kg/m^3"),
     {{"density", 0.166}}},
    {NAMED(SN_KIND_GAS, "smoke", "air of 80 C with soot, which rises in air of 20 C",
           "ideal gas, 28.96 g/mol at 101.325 kPa and 353.15 K: 1.0 kg/m^3; viscosity, of its "
           "eddies, and vorticity are a look"),
     {{"density", 1.0}, {"viscosity", 0.01}, {"vorticity", 0.05}}},
};

enum { PRESETS = sizeof presets / sizeof presets[0] };

const sn_preset_info *sn_preset_at(size_t index) {
    return index < PRESETS ? &presets[index].info : NULL;
}

static void write_value(const sn_kind_info *kind, const char *name, double value, void *material) {
    for (size_t i = 0; i < kind->field_count; i++) {
        if (strcmp(kind->fields[i].name, name) != 0) continue;
        char *at = (char *)material + kind->fields[i].offset;
        sn_real real = (sn_real)value;
        if (kind->fields[i].kind != SN_FIELD_CHOICE) {
            memcpy(at, &real, sizeof real);
            continue;
        }
        int choice = (int)value;
        memcpy(at, &choice, sizeof choice);
    }
}

sn_result sn_preset_get(sn_kind kind, const char *name, void *material) {
    if (!name || !material)
        return sn_fail(SN_ERROR_NULL, "%s: %s is null", __func__, name ? "material" : "name");
    const sn_kind_info *info = sn_kind_get_info(kind);
    if (!info)
        return sn_fail(SN_ERROR_VALUE, "%s: kind is %d, expected 0 to %d", __func__, (int)kind,
                       SN_KIND_COUNT - 1);
    for (size_t i = 0; i < PRESETS; i++) {
        if (presets[i].info.kind != kind || strcmp(presets[i].info.name, name) != 0) continue;
        SN_TRY(sn_kind_default(kind, material));
        for (int k = 0; k < MOST_VALUES && presets[i].values[k].field; k++)
            write_value(info, presets[i].values[k].field, presets[i].values[k].value, material);
        return SN_OK;
    }
    return sn_fail(SN_ERROR_NAME, "%s has no preset \"%s\"", info->name, name);
}
