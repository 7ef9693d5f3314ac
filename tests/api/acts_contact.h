/* Acts about contact, for the list of acts.c. */
#ifndef SINEW_TESTS_API_ACTS_CONTACT_H
#define SINEW_TESTS_API_ACTS_CONTACT_H

#include "acts.h"

act act_add_sheet, act_cover, act_cover_rest, act_fold, act_limiter;
act act_add_mesh, act_add_rigid, act_move_mesh, act_ask, act_uncover;

#endif
