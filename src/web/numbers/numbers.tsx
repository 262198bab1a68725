/** The door of the room: the numbers that were given to the person. Not for the first load of a page. */
export { numbersQuery, useNumbers } from './given-numbers.ts'
export { NumberTag } from './number-tag.tsx'
