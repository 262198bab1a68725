import { Component, type ReactNode } from 'react'
import { ErrorState } from '#web/ui/error-state.tsx'

/** A screen that breaks takes nothing else with it. Give it the route as key, so that another one begins anew. */
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
