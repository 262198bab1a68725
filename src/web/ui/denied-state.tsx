import { Lock } from 'lucide-react'
import { EmptyState } from './empty-state.tsx'

export function DeniedState({
  description = 'Você não tem permissão para acessar esta página.',
}: {
  description?: string
}) {
  return <EmptyState icon={Lock} title="Acesso Negado" description={description} />
}
