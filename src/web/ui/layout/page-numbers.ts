/** At most `count` page numbers around the current one, between 1 and `totalPages`. */
export function pageNumbers(page: number, totalPages: number, count = 5): number[] {
  const length = Math.min(count, Math.max(totalPages, 0))
  const wanted = page - Math.floor(length / 2)
  const first = Math.max(1, Math.min(wanted, totalPages - length + 1))
  return Array.from({ length }, (_, index) => first + index)
}
