/** The commit that a binary was built from; `source` when rho runs from its sources. */
export const BUILD_COMMIT: string = "source";
