import { Component, type ReactNode, useState } from 'react'
import { reloadIfReachable } from '#web/platform/loading/reload.ts'
import { ErrorState } from '#web/ui/states/error-state.tsx'

/** Contains a screen's exception. Pass the route as key, so that another screen starts afresh. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    return this.state.hasFailed ? <Failed /> : this.props.children
  }
}

function Failed() {
  const [state, setState] = useState<'shown' | 'asking' | 'away'>('shown')
  const reload = async () => {
    setState('asking')
    if (!(await reloadIfReachable())) setState('away')
  }
  return (
    <ErrorState
      title="Algo deu errado nesta tela"
      description={
        state === 'away'
          ? 'Sem conexão. Recarregue a página quando a rede voltar.'
          : 'Recarregue a página. Se o erro voltar, avise o administrador.'
      }
      retryLabel="Recarregar"
      isRetrying={state === 'asking'}
      onRetry={() => void reload()}
    />
  )
}
