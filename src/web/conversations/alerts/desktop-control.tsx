import { Bell, BellOff } from 'lucide-react'
import { desktopChoice, type DesktopChoice, requestDesktopPermission } from '#web/platform/browser/desktop.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Menu, MenuChoice } from '#web/ui/overlays/menu.tsx'
import { toast } from '#web/ui/states/toast.ts'

const label = 'Notificações na área de trabalho'
const options: readonly { value: DesktopChoice; label: string }[] = [
  { value: 'off', label: 'Não avisar' },
  { value: 'names', label: 'Avisar sem o texto' },
  { value: 'texts', label: 'Avisar com o texto' },
]

/**
 * Chooses whether desktop notifications are shown while this tab is out of sight, and with how much text. It
 * has no word where it is small.
 */
export function DesktopControl({ size }: { size: 'sm' | 'md' }) {
  const choice = desktopChoice.use()
  const icon = choice === 'off' ? BellOff : Bell
  const choose = async (next: DesktopChoice) => {
    if (next !== 'off' && !(await requestDesktopPermission())) {
      toast({
        tone: 'error',
        title: 'O navegador não permite notificações',
        description: 'Permita-as para este endereço nas configurações do navegador.',
      })
      return
    }
    desktopChoice.set(next)
  }
  return (
    <Menu
      trigger={
        size === 'sm' ? (
          <IconButton size="sm" icon={icon} label={label} />
        ) : (
          <Button icon={icon} aria-label={label}>
            <span className="max-md:hidden">Notificações</span>
          </Button>
        )
      }
    >
      <MenuChoice
        label="Com o Balcão fora de vista"
        options={options}
        value={choice}
        onChoose={(next) => void choose(next)}
      />
    </Menu>
  )
}
