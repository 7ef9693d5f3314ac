/* Acts about cutting, for the list of acts.c. */
#ifndef SINEW_TESTS_ACTS_CUT_H
#define SINEW_TESTS_ACTS_CUT_H

#include "acts.h"

act act_add_block, act_add_cloth;
act act_cut_block, act_cut_block_again, act_cut_cloth, act_split_block, act_split_cloth;

#endif
