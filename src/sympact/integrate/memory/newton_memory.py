"""The memory of an implicit stepper: the stage values of one step, and the matrices of Newton's method."""

from sympact.native.memory import Memory, Real, Reals, Size, Whole, Wholes

__all__ = ["NewtonMemory"]


class NewtonMemory(Memory):
    """Unknowns of three stages, their Jacobian, and its factors for one step size.

    A stage has the state, n numbers, and multipliers, see `Stage.residual`. In `z` and `w` multipliers are multiplied
    by the step, as the changes of the state are.
    """

    n_all = Size("the largest number of unknowns of a stage: states and multipliers")
    has_jacobian = Whole("1: `jacobian` belongs to this smooth arc")
    current = Whole("1: `jacobian` was evaluated at the start of the present step")
    lost = Whole("1: a rate in the present step was not finite")
    factored = Real("the step of the factors, 0 where there are none", unit="s")
    rate = Real("of convergence in the last step")
    iterations = Whole("of the last step")
    h_old = Real("the step before, 0 where there is none", unit="s")
    t_old = Real("its end", unit="s")
    error_old = Real("its error in units of the tolerance")

    initial = Reals(n_all, meaning="the state at the start of the step, and the multipliers there")
    jacobian = Reals(n_all, n_all, meaning="of the rates and the constraints, by states and multipliers")
    single = Reals(n_all, n_all, meaning="the factors of the matrix of the real eigenvalue")
    double = Reals(2 * n_all, 2 * n_all, meaning="those of the matrix of the pair of complex eigenvalues")
    single_order = Wholes(n_all, meaning="rows in the order of their pivots")
    double_order = Wholes(2 * n_all, meaning="the same")
    single_scale = Reals(n_all, meaning="the factor of each row before factoring")
    double_scale = Reals(2 * n_all, meaning="the same")
    z = Reals(3, n_all, meaning="the changes of the state at the stages, and the multipliers times the step")
    z_old = Reals(3, n_all, meaning="the multipliers at the stages of the step before")
    w = Reals(3, n_all, meaning="the same as `z` along the eigenvectors")
    rates = Reals(3, n_all, meaning="rates and constraints at the stages")
    point = Reals(n_all, meaning="the argument of the residual")
    value = Reals(n_all, meaning="its result")
    right = Reals(2 * n_all, meaning="a right side, then the solution")
    turned = Reals(2 * n_all, meaning="scratch of the solution")
    change = Reals(3, n_all, meaning="the last correction")
    error = Reals(n_all, meaning="the error of the step")
