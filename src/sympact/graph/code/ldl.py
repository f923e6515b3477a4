"""The loop that solves a symmetric positive definite system, in LLVM IR.

    for j in 0 .. n-1:
        d = M[j][j];  v[i] = M[i][j] for i > j;  v[i] = 0 for i <= j
        for i in j+1 .. n-1:
            l = M[i][j] / d
            M[i][k] -= l v[k]  for k in j+1 .. i, in whole vectors of 4
            M[i][j] = l;  x[i] -= l x[j]
        x[j] /= d
    for i in n-1 .. 1:
        x[k] -= M[i][k] x[i]  for k in 0 .. i-1

The vectors of 4 touch entries left of the column (where v is 0) and right of the diagonal (never used). They are part
of the text, so that the loop is as fast at every level of optimisation.
"""

__all__ = ["LDL_SOLVE", "WIDTH"]

WIDTH = 4

# x := M^-1 x. %m holds the lower triangle by rows of %stride doubles (whole vectors), aligned, and is overwritten;
# %v is work space of %stride doubles. A pivot that is not positive becomes NaN, and so does all that follows from it.
LDL_SOLVE = """
define internal void @ldl_solve(i64 %n, i64 %stride, ptr noalias %m, ptr noalias %v, ptr noalias %x) nounwind {
entry:
  br label %column
column:
  %j = phi i64 [ 0, %entry ], [ %j.next, %column.end ]
  %j.next = add nuw nsw i64 %j, 1
  %row.j = mul nuw nsw i64 %j, %stride
  %at.jj = add nuw nsw i64 %row.j, %j
  %p.jj = getelementptr inbounds double, ptr %m, i64 %at.jj
  %d = load double, ptr %p.jj
  %positive = fcmp ogt double %d, 0.0
  %inverse = fdiv double 1.0, %d
  %r = select i1 %positive, double %inverse, double 0x7FF8000000000000
  %p.xj = getelementptr inbounds double, ptr %x, i64 %j
  %xj = load double, ptr %p.xj
  %p.vj = getelementptr inbounds double, ptr %v, i64 %j
  store double 0.0, ptr %p.vj
  %xj.scaled = fmul double %xj, %r
  store double %xj.scaled, ptr %p.xj
  %first = and i64 %j.next, -4
  %some = icmp ult i64 %j.next, %n
  br i1 %some, label %gather, label %column.end
gather:
  %g = phi i64 [ %j.next, %column ], [ %g.next, %gather ]
  %row.g = mul nuw nsw i64 %g, %stride
  %at.gj = add nuw nsw i64 %row.g, %j
  %p.gj = getelementptr inbounds double, ptr %m, i64 %at.gj
  %gj = load double, ptr %p.gj
  %p.vg = getelementptr inbounds double, ptr %v, i64 %g
  store double %gj, ptr %p.vg
  %g.next = add nuw nsw i64 %g, 1
  %g.more = icmp ult i64 %g.next, %n
  br i1 %g.more, label %gather, label %row
row:
  %i = phi i64 [ %j.next, %gather ], [ %i.next, %row.end ]
  %row.i = mul nuw nsw i64 %i, %stride
  %p.i = getelementptr inbounds double, ptr %m, i64 %row.i
  %p.vi = getelementptr inbounds double, ptr %v, i64 %i
  %vi = load double, ptr %p.vi
  %l = fmul double %vi, %r
  %l.0 = insertelement <4 x double> poison, double %l, i64 0
  %l.all = shufflevector <4 x double> %l.0, <4 x double> poison, <4 x i32> zeroinitializer
  br label %update
update:
  %k = phi i64 [ %first, %row ], [ %k.next, %update ]
  %p.ik = getelementptr inbounds double, ptr %p.i, i64 %k
  %p.vk = getelementptr inbounds double, ptr %v, i64 %k
  %ik = load <4 x double>, ptr %p.ik, align 32
  %vk = load <4 x double>, ptr %p.vk, align 32
  %lv = fmul contract nsz <4 x double> %l.all, %vk
  %ik.less = fsub contract nsz <4 x double> %ik, %lv
  store <4 x double> %ik.less, ptr %p.ik, align 32
  %k.next = add nuw nsw i64 %k, 4
  %k.more = icmp ule i64 %k.next, %i
  br i1 %k.more, label %update, label %row.end
row.end:
  %p.ij = getelementptr inbounds double, ptr %p.i, i64 %j
  store double %l, ptr %p.ij
  %p.xi = getelementptr inbounds double, ptr %x, i64 %i
  %xi = load double, ptr %p.xi
  %lx = fmul contract nsz double %l, %xj
  %xi.less = fsub contract nsz double %xi, %lx
  store double %xi.less, ptr %p.xi
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, %n
  br i1 %i.more, label %row, label %column.end
column.end:
  %j.more = icmp ult i64 %j.next, %n
  br i1 %j.more, label %column, label %back
back:
  %b = phi i64 [ %n, %column.end ], [ %b.row, %back.end ]
  %b.row = sub nuw nsw i64 %b, 1
  %p.xb = getelementptr inbounds double, ptr %x, i64 %b.row
  %xb = load double, ptr %p.xb
  %row.b = mul nuw nsw i64 %b.row, %stride
  %b.any = icmp ugt i64 %b.row, 0
  br i1 %b.any, label %spread, label %done
spread:
  %s = phi i64 [ 0, %back ], [ %s.next, %spread ]
  %at.bs = add nuw nsw i64 %row.b, %s
  %p.bs = getelementptr inbounds double, ptr %m, i64 %at.bs
  %bs = load double, ptr %p.bs
  %p.xs = getelementptr inbounds double, ptr %x, i64 %s
  %xs = load double, ptr %p.xs
  %bx = fmul contract nsz double %bs, %xb
  %xs.less = fsub contract nsz double %xs, %bx
  store double %xs.less, ptr %p.xs
  %s.next = add nuw nsw i64 %s, 1
  %s.more = icmp ult i64 %s.next, %b.row
  br i1 %s.more, label %spread, label %back.end
back.end:
  br label %back
done:
  ret void
}
"""
