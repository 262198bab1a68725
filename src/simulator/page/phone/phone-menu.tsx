import { Check, CheckCheck, EllipsisVertical, EyeOff } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import type { By, PhonePatch } from '#simulator/control-api.ts'
import type { PhoneView } from '#simulator/control-views.ts'
import { simulatorApi } from '#simulator/page/data/api.ts'
import { identityOptions } from '#simulator/page/identities.ts'
import { menuItemLook } from '#web/ui/overlays/menu-look.ts'
import { Menu, MenuChoice, MenuItem, MenuLine } from '#web/ui/overlays/menu.tsx'
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
    <Menu trigger={<IconButton label="Opções" icon={EllipsisVertical} size="sm" />}>
      <Radix.Item
        className={menuItemLook}
        disabled={phone.unread === 0}
        onSelect={() => run(() => simulatorApi.open(phone.id))}
      >
        <CheckCheck size={16} aria-hidden className="text-ink-2" />
        Marcar como lida
      </Radix.Item>
      {onHide && (
        <MenuItem icon={EyeOff} onSelect={onHide}>
          Tirar da tela
        </MenuItem>
      )}
      <MenuLine />
      <Toggle isOn={by === 'owner'} onChange={(isOwner) => onSwitch(isOwner ? 'owner' : 'phone')}>
        Escrever pelo celular da empresa
      </Toggle>
      <Toggle isOn={phone.autoRead} onChange={(autoRead) => change({ autoRead })}>
        Lê sozinho
      </Toggle>
      <Toggle isOn={phone.onWhatsApp} onChange={(onWhatsApp) => change({ onWhatsApp })}>
        Está no WhatsApp
      </Toggle>
      <MenuLine />
      <MenuChoice
        label="O gateway o identifica por"
        options={identityOptions}
        value={phone.identity}
        onChoose={(identity) => change({ identity })}
      />
    </Menu>
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
      {/* Reserves its width when it is not checked. */}
      <span aria-hidden className="grid size-4 shrink-0 place-items-center text-accent-text">
        <Radix.ItemIndicator>
          <Check size={16} aria-hidden />
        </Radix.ItemIndicator>
      </span>
      {children}
    </Radix.CheckboxItem>
  )
}
