/*
 * The strain of Green of a tetrahedron, for models whose rows are sums of it:
 *
 *   e_i  = (f_i . f_i - 1) / 2
 *   e_ij = f_i . f_j
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
#ifndef SN_CONSTRAINTS_TET_GREEN_H
#define SN_CONSTRAINTS_TET_GREEN_H

/* Below the square of any length that matters. */
#define TINY SN_R(1e-30)

/* xx, yy, zz, yz, zx, xy. */
SN_INLINE void green_strain(const sn_lane3 f[3], sn_lane e[6]) {
    sn_lane half = sn_lane_all(SN_R(0.5));
    for (int i = 0; i < 3; i++) {
        e[i] = half * (sn_lane3_dot(f[i], f[i]) - 1);
        e[3 + i] = sn_lane3_dot(f[(i + 1) % 3], f[(i + 2) % 3]);
    }
}

/* dC/dF of the shears, which are the last three rows, and zero for the first three. */
SN_INLINE void green_shear_rows(const sn_lane3 f[3], sn_lane3 p[SN_ROWS][3]) {
    const sn_lane3 none = {sn_lane_all(0), sn_lane_all(0), sn_lane_all(0)};
    for (int r = 0; r < SN_ROWS; r++)
        for (int j = 0; j < 3; j++) p[r][j] = none;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        p[3 + i][j] = f[k];
        p[3 + i][k] = f[j];
    }
}

/* How much larger the square of the gradient of a shear is taken: by the square of the cosine. */
SN_INLINE sn_lane aside(sn_lane product, sn_lane one, sn_lane other) {
    return product * product / (SN_R(0.5) * (one + other) + TINY);
}

/* Products of the gradients of strains along the axes, with each other and with the shears: x with
   yz, zx, xy, and so on. */
typedef struct green {
    sn_lane xx, yy, zz, yz, zx, xy;
    sn_lane shear[3][3];
} green;

/* Those of the shears with each other are put into the last three rows. */
SN_INLINE green green_masses(const sn_real *shape, const sn_lane3 f[3],
                             sn_lane a[SN_ROWS][SN_ROWS]) {
    sn_lane one = sn_lane_all(1), quarter = sn_lane_all(SN_R(0.25));
    sn_lane wx = own_row(shape, TET_W + W_XX), wy = own_row(shape, TET_W + W_YY);
    sn_lane wz = own_row(shape, TET_W + W_ZZ), wyz = own_row(shape, TET_W + W_YZ);
    sn_lane wzx = own_row(shape, TET_W + W_ZX), wxy = own_row(shape, TET_W + W_XY);
    sn_lane sx = sn_lane3_dot(f[0], f[0]), sy = sn_lane3_dot(f[1], f[1]);
    sn_lane sz = sn_lane3_dot(f[2], f[2]), syz = sn_lane3_dot(f[1], f[2]);
    sn_lane szx = sn_lane3_dot(f[2], f[0]), sxy = sn_lane3_dot(f[0], f[1]);
    sn_lane yz = wyz * syz, zx = wzx * szx, xy = wxy * sxy;
    sn_lane ayz = aside(syz, sy, sz), azx = aside(szx, sz, sx), axy = aside(sxy, sx, sy);
    a[3][3] = (wy * (sz + ayz) + wz * (sy + ayz)) + 2 * yz;
    a[4][4] = (wz * (sx + azx) + wx * (sz + azx)) + 2 * zx;
    a[5][5] = (wx * (sy + axy) + wy * (sx + axy)) + 2 * xy;
    a[3][4] = (wyz * szx + wxy * sz) + (wz * sxy + wzx * syz);
    a[3][5] = (wxy * syz + wy * szx) + (wzx * sy + wyz * sxy);
    a[4][5] = (wzx * sxy + wyz * sx) + (wx * syz + wxy * szx);
    return (green){
        .xx = wx * (sx + quarter * (one - sn_lane_min(sx, one))),
        .yy = wy * (sy + quarter * (one - sn_lane_min(sy, one))),
        .zz = wz * (sz + quarter * (one - sn_lane_min(sz, one))),
        .yz = yz,
        .zx = zx,
        .xy = xy,
        .shear = {{wxy * szx + wzx * sxy, wzx * sx + wx * szx, wx * sxy + wxy * sx},
                  {wy * syz + wyz * sy, wyz * sxy + wxy * syz, wxy * sy + wy * sxy},
                  {wyz * sz + wz * syz, wz * szx + wzx * sz, wzx * syz + wyz * szx}},
    };
}

/* F T, with its diagonal t and the steps of the shears beside it. */
SN_INLINE void green_pull(const sn_lane3 f[3], const sn_lane t[3], const sn_lane shear[3],
                          sn_lane3 sum[3]) {
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        sum[i] =
            sn_lane3_add(sn_lane3_scale(t[i], f[i]), sn_lane3_add(sn_lane3_scale(shear[k], f[j]),
                                                                  sn_lane3_scale(shear[j], f[k])));
    }
}

#endif
