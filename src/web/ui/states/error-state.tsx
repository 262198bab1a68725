import { CircleAlert, RotateCw } from 'lucide-react'
import { useEffect, useState } from 'react'
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
  const [isAsked, setIsAsked] = useState(false)
  useEffect(() => {
    if (!isRetrying) setIsAsked(false)
  }, [isRetrying])
  const retry = () => {
    setIsAsked(true)
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
          <Button icon={RotateCw} isBusy={isRetrying && isAsked} busyLabel="Tentando..." onClick={retry}>
            {retryLabel}
          </Button>
        )
      }
    />
  )
}
