/** The order of a week as displayed; 0 is Sunday. */
export const weekdays = [
  { day: 1, name: 'Segunda' },
  { day: 2, name: 'Terça' },
  { day: 3, name: 'Quarta' },
  { day: 4, name: 'Quinta' },
  { day: 5, name: 'Sexta' },
  { day: 6, name: 'Sábado' },
  { day: 0, name: 'Domingo' },
] as const

export const weekdayName = (day: number): string => weekdays.find((one) => one.day === day)?.name ?? ''
