/** The look of a card that takes both columns of a report, on paper as well. */
export const wholeRow = 'lg:col-span-2 print:col-span-2'
