import { Select } from '#web/ui/fields/select.tsx'

/** How many rows a page of a list has. */
export function PageSize({
  sizes,
  limit,
  onLimit,
  className,
}: {
  sizes: readonly number[]
  limit: number
  onLimit: (limit: number) => void
  className?: string
}) {
  return (
    <Select
      aria-label="Itens por página"
      fieldSize="bar"
      {...(className && { className })}
      value={String(limit)}
      onChange={(value) => onLimit(Number(value))}
      options={sizes.map((size) => ({ value: String(size), label: `${size} itens` }))}
    />
  )
}
