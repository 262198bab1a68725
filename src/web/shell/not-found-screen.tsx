import { Compass } from 'lucide-react'
import { Link } from 'wouter'
import { Button } from '#web/ui/buttons/button.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'

export function NotFoundScreen() {
  return (
    <EmptyState
      isPage
      icon={Compass}
      title="404 Page Not Found"
      description="Esta página não existe ou mudou de lugar."
      action={
        <Button asChild>
          <Link href="/">Voltar ao Dashboard</Link>
        </Button>
      }
    />
  )
}
