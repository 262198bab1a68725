/** For how many clients who wait a person is free, where nobody has set it. */
export const usualCapacity = 5
