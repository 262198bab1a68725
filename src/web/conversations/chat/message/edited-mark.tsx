import { useQuery } from '@tanstack/react-query'
import type { Message } from '#shared/messages/messages.ts'
import { clockTime } from '#web/platform/live/server-clock.ts'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Popover } from '#web/ui/overlays/popover.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { RichText } from '#web/ui/rich-text/rich-text.tsx'
import { conversationQueries } from '#web/conversations/cache/queries.ts'

/** 'editada'; pressing it shows the earlier texts. */
export function EditedMark({ message }: { message: Message }) {
  return (
    <Popover
      label="Antes da edição"
      trigger={
        <button
          type="button"
          title="Ver o texto anterior"
          className="mr-0.5 -my-1 min-h-6 underline decoration-dotted underline-offset-2"
        >
          editada
        </button>
      }
    >
      <EarlierTexts message={message} />
    </Popover>
  )
}

function EarlierTexts({ message }: { message: Message }) {
  const { data, isError, refetch } = useQuery(conversationQueries.versions(message))
  if (isError)
    return (
      <ErrorState description="Não foi possível carregar o texto anterior." onRetry={() => void refetch()} />
    )
  if (!data) return <Skeleton className="h-10 w-56" />
  return (
    <>
      <h2 className="text-xs font-semibold text-ink-2">Antes da edição</h2>
      <ol className="mt-1.5 grid gap-2">
        {data.map(({ content, replacedAt }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- earlier texts never move
          <li key={index} className="border-l-2 border-line pl-2">
            <div dir="auto" className="[overflow-wrap:anywhere]">
              <RichText text={content} />
            </div>
            <p className="text-xs text-ink-3">
              até <time dateTime={replacedAt}>{clockTime(replacedAt)}</time>
            </p>
          </li>
        ))}
      </ol>
    </>
  )
}
