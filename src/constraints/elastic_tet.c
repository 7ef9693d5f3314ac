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
 *
 * With the symmetric matrix T that J^T makes of multipliers, dC/dF is F T; and all products of
 * gradients are those of W_ij (tet.h) and S_ij = f_i . f_j:
 *
 *   e_i  with e_j     W_ij S_ij
 *   e_i  with e_jk    W_ij S_ik + W_ik S_ij
 *   e_ij with e_kl    W_ik S_jl + W_il S_jk + W_jk S_il + W_jl S_ik
 *
 * Where an axis is compressed its gradient is short and a full Newton step would go much too far:
 * from the length s it would go to (s + 1 / s) / 2. The square of the gradient is taken as
 *
 *   (3 s^2 + 1) / 4   in place of   s^2
 *
 * there; that never goes beyond 1 and is the same at rest. And where two axes lie nearly along
 * each other their shear depends on other rows; the square of its gradient is taken larger by the
 * square of the cosine between them. Worse cases are for tet_strains.h.
 */
#define SN_TYPE elastic_tet
#define SN_ROWS 6
#define SN_OWN 2 /* m and nu */
#define SN_SOLVED
#include "constraints/tet.h"

/* Below the square of any length that matters. */
#define TINY SN_R(1e-30)

/* C from the strain. */
SN_INLINE void strain_rows(const sn_real *own, const sn_lane e[6], sn_lane value[SN_ROWS]) {
    value[0] = e[0] + own_row(own, 0) * (e[1] + e[2]);
    value[1] = e[1] + own_row(own, 1) * e[2];
    for (int i = 2; i < 6; i++) value[i] = e[i];
}

/* dC/dF along the axes f. */
SN_INLINE void gradient_rows(const sn_lane3 f[3], const sn_real *own, sn_lane3 p[SN_ROWS][3]) {
    const sn_lane3 none = {sn_lane_all(0), sn_lane_all(0), sn_lane_all(0)};
    sn_lane m = own_row(own, 0), nu = own_row(own, 1);
    for (int r = 0; r < SN_ROWS; r++)
        for (int j = 0; j < 3; j++) p[r][j] = none;
    p[0][0] = f[0];
    p[0][1] = sn_lane3_scale(m, f[1]);
    p[0][2] = sn_lane3_scale(m, f[2]);
    p[1][1] = f[1];
    p[1][2] = sn_lane3_scale(nu, f[2]);
    p[2][2] = f[2];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        p[3 + i][j] = f[k];
        p[3 + i][k] = f[j];
    }
}

SN_INLINE void formula(const sn_lane3 f[3], const sn_real *own, sn_lane value[SN_ROWS],
                       sn_lane3 p[SN_ROWS][3]) {
    sn_lane e[6], half = sn_lane_all(SN_R(0.5));
    for (int i = 0; i < 3; i++) {
        e[i] = half * (sn_lane3_dot(f[i], f[i]) - 1);
        e[3 + i] = sn_lane3_dot(f[(i + 1) % 3], f[(i + 2) % 3]);
    }
    strain_rows(own, e, value);
    gradient_rows(f, own, p);
}

/* How much larger the square of the gradient of a shear is taken: by the square of the cosine. */
SN_INLINE sn_lane aside(sn_lane product, sn_lane one, sn_lane other) {
    return product * product / (SN_R(0.5) * (one + other) + TINY);
}

SN_INLINE void add_strains(const sn_real *shape, const sn_real *own, const sn_lane3 f[3],
                           sn_lane a[SN_ROWS][SN_ROWS]) {
    sn_lane m = own_row(own, 0), nu = own_row(own, 1), one = sn_lane_all(1);
    sn_lane quarter = sn_lane_all(SN_R(0.25));
    sn_lane wx = own_row(shape, TET_W + W_XX), wy = own_row(shape, TET_W + W_YY);
    sn_lane wz = own_row(shape, TET_W + W_ZZ), wyz = own_row(shape, TET_W + W_YZ);
    sn_lane wzx = own_row(shape, TET_W + W_ZX), wxy = own_row(shape, TET_W + W_XY);
    sn_lane sx = sn_lane3_dot(f[0], f[0]), sy = sn_lane3_dot(f[1], f[1]);
    sn_lane sz = sn_lane3_dot(f[2], f[2]), syz = sn_lane3_dot(f[1], f[2]);
    sn_lane szx = sn_lane3_dot(f[2], f[0]), sxy = sn_lane3_dot(f[0], f[1]);
    /* Strains along the axes with each other, then those rows. */
    sn_lane xx = wx * (sx + quarter * (one - sn_lane_min(sx, one)));
    sn_lane yy = wy * (sy + quarter * (one - sn_lane_min(sy, one)));
    sn_lane zz = wz * (sz + quarter * (one - sn_lane_min(sz, one)));
    sn_lane yz = wyz * syz, zx = wzx * szx, xy = wxy * sxy;
    sn_lane x0 = xx + m * (xy + zx), y0 = xy + m * (yy + yz), z0 = zx + m * (yz + zz);
    a[0][0] = x0 + m * (y0 + z0);
    a[0][1] = y0 + nu * z0;
    a[0][2] = z0;
    a[1][1] = (yy + nu * yz) + nu * (yz + nu * zz);
    a[1][2] = yz + nu * zz;
    a[2][2] = zz;
    /* Those with the shears: x with yz, zx, xy, and so on. */
    sn_lane b[3][3] = {
        {wxy * szx + wzx * sxy, wzx * sx + wx * szx, wx * sxy + wxy * sx},
        {wy * syz + wyz * sy, wyz * sxy + wxy * syz, wxy * sy + wy * sxy},
        {wyz * sz + wz * syz, wz * szx + wzx * sz, wzx * syz + wyz * szx},
    };
    for (int k = 0; k < 3; k++) {
        a[0][3 + k] = b[0][k] + m * (b[1][k] + b[2][k]);
        a[1][3 + k] = b[1][k] + nu * b[2][k];
        a[2][3 + k] = b[2][k];
    }
    /* And the shears with each other. */
    sn_lane ayz = aside(syz, sy, sz), azx = aside(szx, sz, sx), axy = aside(sxy, sx, sy);
    a[3][3] = (wy * (sz + ayz) + wz * (sy + ayz)) + 2 * yz;
    a[4][4] = (wz * (sx + azx) + wx * (sz + azx)) + 2 * zx;
    a[5][5] = (wx * (sy + axy) + wy * (sx + axy)) + 2 * xy;
    a[3][4] = (wyz * szx + wxy * sz) + (wz * sxy + wzx * syz);
    a[3][5] = (wxy * syz + wy * szx) + (wzx * sy + wyz * sxy);
    a[4][5] = (wzx * sxy + wyz * sx) + (wx * syz + wxy * szx);
}

/* F T */
SN_INLINE void combine(const sn_lane3 f[3], const sn_real *own, const sn_lane step[SN_ROWS],
                       sn_lane3 sum[3]) {
    sn_lane other = own_row(own, 0) * step[0], t[3];
    t[0] = step[0];
    t[1] = other + step[1];
    t[2] = (other + own_row(own, 1) * step[1]) + step[2];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        sum[i] = sn_lane3_add(
            sn_lane3_scale(t[i], f[i]),
            sn_lane3_add(sn_lane3_scale(step[3 + k], f[j]), sn_lane3_scale(step[3 + j], f[k])));
    }
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
