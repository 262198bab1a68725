import { CircleAlert, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/buttons/button.tsx'
import { EmptyState } from './empty-state.tsx'

export function ErrorState({
  title = 'Erro ao carregar',
  description = 'Não foi possível carregar os dados.',
  retryLabel = 'Tentar novamente',
  onRetry,
  isRetrying = false,
  className,
}: {
  title?: string
  description?: string
  retryLabel?: string
  onRetry?: () => void
  isRetrying?: boolean
  className?: string
}) {
  // It is also tried again without being asked: the button does not change then.
  const [asked, setAsked] = useState<'no' | 'now' | 'tried'>('no')
  if (asked === 'now' && isRetrying) setAsked('tried')
  if (asked === 'tried' && !isRetrying) setAsked('no')
  const retry = () => {
    setAsked('now')
    onRetry?.()
  }
  return (
    <EmptyState
      role="alert"
      icon={CircleAlert}
      title={title}
      description={description}
      {...(className && { className })}
      action={
        onRetry && (
          <Button
            icon={RotateCw}
            isBusy={isRetrying && asked !== 'no'}
            busyLabel="Tentando..."
            onClick={retry}
          >
            {retryLabel}
          </Button>
        )
      }
    />
  )
}
