import { CountBadge } from '#web/ui/badges/count-badge.tsx'

const chosenTabLook = [
  'font-semibold text-ink after:absolute after:inset-x-0 after:bottom-0 after:h-0.5',
  'after:rounded-[1px] after:bg-accent',
].join(' ')

/** A part of the list, with how many conversations it has. */
export function TabButton({
  label,
  count,
  isTotal,
  isOn,
  isLong = false,
  onClick,
}: {
  label: string
  count: number
  /** Whether all conversations are counted, or those with unread messages. */
  isTotal: boolean
  isOn: boolean
  /** Its name may be long, and is shortened. */
  isLong?: boolean
  onClick: () => void
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className={`relative inline-flex h-10 flex-none items-center gap-1.5 whitespace-nowrap ${
        isOn ? chosenTabLook : 'text-ink-2 hover:text-ink'
      }`}
    >
      {isLong ? (
        <span className="max-w-24 truncate" title={label} dir="auto">
          {label}
        </span>
      ) : (
        label
      )}
      {/* As wide as most counts: what stands behind does not move when they come. */}
      <span className="inline-flex min-w-6">
        {isTotal ? (
          count > 0 && (
            <span className="text-xs font-medium text-ink-3 tabular-nums">
              {count}
              <span className="sr-only">{count === 1 ? ' conversa' : ' conversas'}</span>
            </span>
          )
        ) : (
          <CountBadge
            count={count}
            label={count === 1 ? '1 conversa não lida' : `${count} conversas não lidas`}
          />
        )}
      </span>
    </button>
  )
}
