import { useQuery } from '@tanstack/react-query'
import type { EvolutionConfig } from '#shared/gateway/gateway.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { NumberCard } from '#web/gateway/link/number-card.tsx'
import { linkQuery } from '#web/gateway/link/queries.ts'
import { StepRow, useReview } from './step-row.tsx'

/** Links the number to its phone. */
export function NumberStep({
  config,
  isDone,
  isNext,
}: {
  config: EvolutionConfig | undefined
  isDone: boolean
  isNext: boolean
}) {
  const review = useReview(isDone)
  const link = useQuery({ ...linkQuery(config?.id ?? 0), enabled: config !== undefined })
  const { number, profileName } = link.data ?? {}
  const who = [profileName, number && formatPhone(number)].filter(Boolean).join(', ')
  return (
    <StepRow
      number={2}
      title="Conectar o número"
      note={isDone && who ? who : 'Um QR code aparece aqui, e o celular o lê'}
      isDone={isDone}
      isNext={isNext}
      action={review.action}
    >
      {config && (isNext || review.isReviewing) && <NumberCard id={config.id} />}
    </StepRow>
  )
}
