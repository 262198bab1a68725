import { useViewers } from '#web/users/users.tsx'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { cn } from '#web/ui/cn.ts'
import { tooltip } from '#web/ui/overlays/tooltip.ts'
import { viewersText } from './presence-texts.ts'

/** Further viewers are shown as a number. */
const mostFaces = 3

/** The avatars of colleagues who have the chat open now, with their names. */
export function Viewers({
  conversationId,
  isInside = false,
  className,
}: {
  conversationId: number
  /** Whether it is inside a link, which has its own label. */
  isInside?: boolean
  className?: string
}) {
  const people = useViewers(conversationId)
  if (people.length === 0) return null
  const words = viewersText(people.map(({ name }) => name))
  const isMore = people.length > mostFaces
  const faces = (
    <>
      {people.slice(0, isMore ? mostFaces - 1 : mostFaces).map(({ id, name }) => (
        <Avatar key={id} name={name} size={24} />
      ))}
      {isMore && (
        <span
          aria-hidden
          className="grid size-6 place-items-center rounded-full bg-sunken text-xs font-semibold text-ink-2"
        >
          +{people.length - mostFaces + 1}
        </span>
      )}
    </>
  )
  const look = cn('flex flex-none gap-0.5', className)
  if (isInside)
    return (
      <span className={look} title={words}>
        {faces}
        <span className="sr-only">{words}</span>
      </span>
    )
  return (
    // A button, so that the names can also be reached by keyboard.
    <button type="button" {...tooltip(words, 'bottom')} className={cn(look, 'cursor-default rounded-full')}>
      {faces}
      <span className="sr-only">{words}</span>
    </button>
  )
}
