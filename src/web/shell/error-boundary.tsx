import { Component, type ReactNode } from 'react'
import { ErrorState } from '#web/ui/states/error-state.tsx'

/** Contains a screen's exception. Pass the route as key, so that another screen starts afresh. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <ErrorState
        title="Algo deu errado nesta tela"
        description="Recarregue a página. Se o erro voltar, avise o administrador."
        retryLabel="Recarregar"
        onRetry={() => window.location.reload()}
      />
    )
  }
}
