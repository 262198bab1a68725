import { useNumbers } from '#web/numbers/numbers.tsx'

/** The name of a number in the archive, where deleted ones count, too; undefined for the only one. */
export function useNumberName(id: number): string | undefined {
  const { all, find } = useNumbers()
  return all.length > 1 ? find(id)?.name : undefined
}
