import { Check, type LucideIcon } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import { createContext, type ReactNode, useContext, useRef } from 'react'
import { cn } from './cn.ts'
import { menuItemLook, menuLabelLook, menuLineLook, menuLook } from './menu-look.ts'

const LeaveMenu = createContext<() => void>(() => undefined)

/** What one can do with the thing that the trigger belongs to; by key as by mouse. */
export function Menu({
  trigger,
  align = 'end',
  isOpen,
  onOpenChange,
  children,
}: {
  /** A button. */
  trigger: ReactNode
  align?: 'start' | 'end'
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
  children: ReactNode
}) {
  const isLeft = useRef(false)
  return (
    <Radix.Root
      modal={false}
      {...(isOpen !== undefined && { open: isOpen })}
      {...(onOpenChange && { onOpenChange })}
    >
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={menuLook}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            if (isLeft.current) event.preventDefault()
            isLeft.current = false
          }}
        >
          <LeaveMenu value={() => (isLeft.current = true)}>{children}</LeaveMenu>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export function MenuItem({
  icon: Icon,
  isDanger = false,
  leadsElsewhere = false,
  onSelect,
  children,
}: {
  icon: LucideIcon
  isDanger?: boolean
  /** It takes the focus with it; otherwise the trigger has it back. */
  leadsElsewhere?: boolean
  onSelect: () => void
  children: string
}) {
  const leave = useContext(LeaveMenu)
  const onChosen = () => {
    if (leadsElsewhere) leave()
    onSelect()
  }
  return (
    <Radix.Item className={cn(menuItemLook, isDanger && 'text-red-text')} onSelect={onChosen}>
      <Icon size={16} aria-hidden className={cn(!isDanger && 'text-ink-2')} />
      {children}
    </Radix.Item>
  )
}

export function MenuLine() {
  return <Radix.Separator className={menuLineLook} />
}

/** One of a few, under their name. */
export function MenuChoice<Value extends string>({
  label,
  options,
  value,
  onChoose,
}: {
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onChoose: (value: Value) => void
}) {
  return (
    <Radix.RadioGroup aria-label={label} value={value}>
      <Radix.Label className={menuLabelLook}>{label}</Radix.Label>
      {options.map((option) => (
        <Radix.RadioItem
          key={option.value}
          value={option.value}
          className={menuItemLook}
          onSelect={() => onChoose(option.value)}
        >
          <span className="w-4 flex-none">
            <Radix.ItemIndicator>
              <Check size={16} aria-hidden className="text-accent-text" />
            </Radix.ItemIndicator>
          </span>
          {option.label}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}

/** A row of emojis to react with. @param chosen the one that stands already: choosing it again takes it back, '' */
export function MenuEmojis<Emoji extends string>({
  emojis,
  chosen,
  onChoose,
}: {
  emojis: readonly Emoji[]
  chosen: string | undefined
  onChoose: (emoji: Emoji | '') => void
}) {
  return (
    <Radix.Group aria-label="Reagir" className="flex gap-0.5">
      {emojis.map((emoji) => {
        const isChosen = emoji === chosen
        return (
          <Radix.Item
            key={emoji}
            aria-label={isChosen ? `Retirar a reação ${emoji}` : `Reagir com ${emoji}`}
            onSelect={() => onChoose(isChosen ? '' : emoji)}
            className={cn(
              'grid size-8 cursor-pointer place-items-center rounded-[7px] text-lg outline-none data-[highlighted]:bg-hover',
              isChosen && 'bg-selected',
            )}
          >
            {emoji}
          </Radix.Item>
        )
      })}
    </Radix.Group>
  )
}
