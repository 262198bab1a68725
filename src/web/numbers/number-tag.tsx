import { Badge } from '#web/ui/badges/badge.tsx'

/** By which number a conversation goes, in a few letters; nothing where there is one number only. */
export function NumberTag({ name }: { name: string | undefined }) {
  if (!name) return null
  return (
    <Badge title={`Pelo número ${name}`} className="h-[18px] max-w-24 px-1">
      {name}
    </Badge>
  )
}
