#include "systems/aerodynamics/aerodynamics.h"

void sn_air_free(sn_air *air, sn_memory *memory) {
    sn_column columns[] = SN_AIR_COLUMNS(air);
    sn_columns_free(memory, columns, SN_AIR_COLUMN_COUNT, 0, air->triangle_capacity);
    sn_free(memory, air->member, air->member_capacity, sizeof *air->member);
    sn_free(memory, air->of, air->of_capacity, sizeof *air->of);
    sn_free(memory, air->model, air->model_capacity, sizeof *air->model);
    sn_free(memory, air->blown, air->blown_capacity, sizeof *air->blown);
}
