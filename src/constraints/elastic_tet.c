/*
 * A tetrahedron of the Saint Venant-Kirchhoff material.
 *
 *   e_i  = (f_i . f_i - 1) / 2
 *   e_ij = f_i . f_j
 *   C    = (e_x + m (e_y + e_z), e_y + nu e_z, e_z, e_yz, e_zx, e_xy),   m = nu / (1 - nu)
 *
 * for which the compliance matrix is diagonal. Survey of 2017, section 5.8.1, has the energy
 * itself as C, one row. Its gradient is one direction, along which a substep can go; the six rows,
 * the block constraint of XPBD 2016, eqs. 27 and 28, are a Newton step of the whole tetrahedron.
 */
#define SN_TYPE elastic_tet
#define SN_ROWS 6
#define SN_OWN 2 /* m and nu */
#define SN_SOLVED
#include "constraints/tet.h"
#include "constraints/tet_green.h"

/* C from the strain. */
SN_INLINE void strain_rows(const sn_real *own, const sn_lane e[6], sn_lane value[SN_ROWS]) {
    value[0] = e[0] + own_row(own, 0) * (e[1] + e[2]);
    value[1] = e[1] + own_row(own, 1) * e[2];
    for (int i = 2; i < 6; i++) value[i] = e[i];
}

/* dC/dF along the axes f. */
SN_INLINE void gradient_rows(const sn_lane3 f[3], const sn_real *own, sn_lane3 p[SN_ROWS][3]) {
    sn_lane m = own_row(own, 0), nu = own_row(own, 1);
    green_shear_rows(f, p);
    p[0][0] = f[0];
    p[0][1] = sn_lane3_scale(m, f[1]);
    p[0][2] = sn_lane3_scale(m, f[2]);
    p[1][1] = f[1];
    p[1][2] = sn_lane3_scale(nu, f[2]);
    p[2][2] = f[2];
}

SN_INLINE void formula(const sn_lane3 f[3], const sn_real *own, sn_lane value[SN_ROWS],
                       sn_lane3 p[SN_ROWS][3]) {
    sn_lane e[6];
    green_strain(f, e);
    strain_rows(own, e, value);
    gradient_rows(f, own, p);
}

SN_INLINE void add_strains(const sn_real *shape, const sn_real *own, const sn_lane3 f[3],
                           sn_lane a[SN_ROWS][SN_ROWS]) {
    sn_lane m = own_row(own, 0), nu = own_row(own, 1);
    green of = green_masses(shape, f, a);
    sn_lane x0 = of.xx + m * (of.xy + of.zx), y0 = of.xy + m * (of.yy + of.yz);
    sn_lane z0 = of.zx + m * (of.yz + of.zz);
    a[0][0] = x0 + m * (y0 + z0);
    a[0][1] = y0 + nu * z0;
    a[0][2] = z0;
    a[1][1] = (of.yy + nu * of.yz) + nu * (of.yz + nu * of.zz);
    a[1][2] = of.yz + nu * of.zz;
    a[2][2] = of.zz;
    for (int k = 0; k < 3; k++) {
        a[0][3 + k] = of.shear[0][k] + m * (of.shear[1][k] + of.shear[2][k]);
        a[1][3 + k] = of.shear[1][k] + nu * of.shear[2][k];
        a[2][3 + k] = of.shear[2][k];
    }
}

/* F T */
SN_INLINE void combine(const sn_lane3 f[3], const sn_real *own, const sn_lane step[SN_ROWS],
                       sn_lane3 sum[3]) {
    sn_lane other = own_row(own, 0) * step[0], t[3];
    t[0] = step[0];
    t[1] = other + step[1];
    t[2] = (other + own_row(own, 1) * step[1]) + step[2];
    green_pull(f, t, step + 3, sum);
}

#include "constraints/tet_strains.h"

#include "constraints/tet.inl"

#if SN_LANES == 1

#include "constraints/tet_isotropic.h"

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    return prepare_isotropic("elastic_tet", from, parameter);
}

static double compliance(const sn_real *parameter, int row) {
    double nu = (double)parameter[POISSON];
    lame of = lame_of(parameter);
    if (row == 0) return soften(parameter, of.lambda + 2 * of.mu);
    if (row == 1) return soften(parameter, 2 * of.mu / (1 - nu));
    return soften(parameter, row == 2 ? 2 * of.mu * (1 + nu) : of.mu);
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real shape[SN_MAX_PARAMETERS], nu = from->parameter[POISSON];
    sn_derivation after = derive_plastic(from, shape);
    derive_tet(&after, compliance, (sn_real[SN_OWN]){nu / (1 - nu), nu}, coefficient);
    return 1;
}

SN_DEFINE_TYPE(elastic_tet, SN_ELASTIC_TET_FIELDS,
               "a tetrahedron of the Saint Venant-Kirchhoff material", .compliant = true,
               .damping_time = TET_DAMPING_TIME, .compliance = compliance, .settles = settles,
               .flow = flow)

#endif
