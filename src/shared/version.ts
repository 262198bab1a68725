/**
 * The version of the program, as in package.json: a constant, so that the server, its commands and the page
 * know it wherever they are bundled to.
 */
export const version = '0.2.0'
