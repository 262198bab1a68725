import { Check, CheckCheck, EllipsisVertical, EyeOff } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { identityModes, type By, type IdentityMode, type PhonePatch } from '#simulator/control-api.ts'
import type { PhoneView } from '#simulator/control-views.ts'
import { simulatorApi } from '#simulator/page/data/api.ts'
import { identityLabels } from '#simulator/page/identities.ts'
import { menuItemLook, menuLabelLook, menuLineLook, menuLook } from '#web/ui/overlays/menu-look.ts'
import { useAction } from '#simulator/page/data/mutations.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'

/** The settings of a phone. */
export function PhoneMenu({
  phone,
  by,
  onSwitch,
  onHide,
}: {
  phone: PhoneView
  by: By
  onSwitch: (by: By) => void
  onHide: (() => void) | undefined
}) {
  const { run } = useAction()
  const change = (patch: PhonePatch) => run(() => simulatorApi.changePhone(phone.id, patch))
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>
        <IconButton label="Opções" icon={EllipsisVertical} size="sm" />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={menuLook} align="end" sideOffset={4} collisionPadding={8}>
          <Radix.Item
            className={menuItemLook}
            disabled={phone.unread === 0}
            onSelect={() => run(() => simulatorApi.open(phone.id))}
          >
            <CheckCheck size={16} aria-hidden className="text-ink-2" />
            Marcar como lida
          </Radix.Item>
          {onHide && (
            <Radix.Item className={menuItemLook} onSelect={onHide}>
              <EyeOff size={16} aria-hidden className="text-ink-2" />
              Tirar da tela
            </Radix.Item>
          )}
          <Radix.Separator className={menuLineLook} />
          <Toggle isOn={by === 'owner'} onChange={(isOwner) => onSwitch(isOwner ? 'owner' : 'phone')}>
            Escrever pelo celular da empresa
          </Toggle>
          <Toggle isOn={phone.autoRead} onChange={(autoRead) => change({ autoRead })}>
            Lê sozinho
          </Toggle>
          <Toggle isOn={phone.onWhatsApp} onChange={(onWhatsApp) => change({ onWhatsApp })}>
            Está no WhatsApp
          </Toggle>
          <Radix.Separator className={menuLineLook} />
          <Radix.Label className={menuLabelLook}>O gateway o identifica por</Radix.Label>
          <Radix.RadioGroup
            value={phone.identity}
            onValueChange={(identity) => change({ identity: identity as IdentityMode })}
          >
            {identityModes.map((mode) => (
              <Radix.RadioItem key={mode} value={mode} className={menuItemLook}>
                <Tick />
                {identityLabels[mode]}
              </Radix.RadioItem>
            ))}
          </Radix.RadioGroup>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function Toggle({
  isOn,
  onChange,
  children,
}: {
  isOn: boolean
  onChange: (isOn: boolean) => void
  children: ReactNode
}) {
  return (
    <Radix.CheckboxItem className={menuItemLook} checked={isOn} onCheckedChange={onChange}>
      <Tick />
      {children}
    </Radix.CheckboxItem>
  )
}

/** Reserves its width when nothing is checked. */
function Tick() {
  return (
    <span aria-hidden className="grid size-4 shrink-0 place-items-center text-accent-text">
      <Radix.ItemIndicator>
        <Check size={16} aria-hidden />
      </Radix.ItemIndicator>
    </span>
  )
}
