import { Lock } from 'lucide-react'
import { EmptyState } from './empty-state.tsx'

export function DeniedState({
  description = 'Você não tem permissão para acessar esta página.',
  isPage = false,
}: {
  description?: string
  /** Fills the screen when the person lacks permission. */
  isPage?: boolean
}) {
  return <EmptyState icon={Lock} title="Acesso Negado" description={description} isPage={isPage} />
}
