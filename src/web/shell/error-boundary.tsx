import { Component, type ReactNode } from 'react'
import { ErrorState } from '#web/ui/error-state.tsx'

/** A screen that breaks takes nothing else with it; another route, or the button, begins anew. */
export class ErrorBoundary extends Component<
  { resetKey: string; children: ReactNode },
  { error: Error | undefined }
> {
  override state: { error: Error | undefined } = { error: undefined }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override componentDidUpdate(before: { resetKey: string }) {
    if (before.resetKey !== this.props.resetKey && this.state.error) this.setState({ error: undefined })
  }

  override render() {
    if (!this.state.error) return this.props.children
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
