"""Operations on graphs: derivatives, polynomials, elimination, branches."""
