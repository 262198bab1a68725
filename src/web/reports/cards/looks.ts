/** The look of a card that takes both columns of a report, on paper as well. */
export const wholeRow = 'lg:col-span-2 print:col-span-2'

/** For a text that is cut on the screen: what is cut on paper cannot be looked up there. */
export const wholeOnPaper = 'print:max-w-none print:whitespace-normal'
