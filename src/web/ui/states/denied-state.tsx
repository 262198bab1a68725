import { Lock } from 'lucide-react'
import { Link } from 'wouter'
import { Button } from '#web/ui/buttons/button.tsx'
import { EmptyState } from './empty-state.tsx'

export function DeniedState({
  description = 'Você não tem permissão para acessar esta página.',
  isPage = false,
}: {
  description?: string
  /** Fills the screen when the person lacks permission. */
  isPage?: boolean
}) {
  return (
    <EmptyState
      icon={Lock}
      title="Acesso Negado"
      description={description}
      isPage={isPage}
      action={
        isPage && (
          <Button asChild>
            <Link href="/">Voltar ao Dashboard</Link>
          </Button>
        )
      }
    />
  )
}
