import { ArrowRightLeft, Check, EllipsisVertical, Timer, TimerOff, Undo2, UserRoundPlus } from 'lucide-react'
import { useState } from 'react'
import { type Conversation, priorities } from '#shared/conversations.ts'
import { priorityLabels } from '#shared/text.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Menu, MenuChoice, MenuItem, MenuLine } from '#web/ui/menu.tsx'
import { toast } from '#web/ui/toast.ts'
import { sayRefused, useAssign, useAutoClose, usePrioritize } from '../acts.ts'
import { FinalizeDialog } from './finalize-dialog.tsx'
import { TransferDialog } from './transfer-dialog.tsx'

/** What can be done with an open conversation. Where it is narrow, all of it stands in the menu. */
export function ChatActions({ conversation, userId }: { conversation: Conversation; userId: number }) {
  const [dialog, setDialog] = useState<'transfer' | 'finalize'>()
  const assign = useAssign(conversation)
  const autoClose = useToggledAutoClose(conversation)
  const priority = usePrioritize(conversation)
  const isFree = conversation.assignedUserId === null
  const take = () =>
    assign.mutate(userId, { onError: (error) => sayRefused('Erro ao assumir conversa', error) })
  const giveBack = () =>
    assign.mutate(null, { onError: (error) => sayRefused('Erro ao devolver à fila', error) })
  return (
    <>
      {isFree && (
        <Button
          variant="primary"
          icon={UserRoundPlus}
          isBusy={assign.isPending}
          busyLabel="Assumindo..."
          onClick={take}
        >
          Assumir
        </Button>
      )}
      <Button icon={ArrowRightLeft} className="max-md:hidden" onClick={() => setDialog('transfer')}>
        Transferir
      </Button>
      <Button
        variant={isFree ? 'outline' : 'primary'}
        icon={Check}
        className="max-md:hidden"
        onClick={() => setDialog('finalize')}
      >
        Finalizar
      </Button>
      <IconButton
        label={autoClose.label}
        icon={autoClose.icon}
        isBusy={autoClose.isPending}
        className="max-md:hidden"
        onClick={autoClose.toggle}
      />
      <Menu trigger={<IconButton label="Mais ações" icon={EllipsisVertical} />}>
        <div className="md:hidden">
          <MenuItem icon={ArrowRightLeft} leadsElsewhere onSelect={() => setDialog('transfer')}>
            Transferir
          </MenuItem>
          <MenuItem icon={Check} leadsElsewhere onSelect={() => setDialog('finalize')}>
            Finalizar
          </MenuItem>
          <MenuItem icon={autoClose.icon} onSelect={autoClose.toggle}>
            {autoClose.label}
          </MenuItem>
          <MenuLine />
        </div>
        <MenuChoice
          label="Prioridade"
          options={priorityOptions}
          value={conversation.priority}
          onChoose={(next) =>
            priority.mutate(next, { onError: (error) => sayRefused('Erro ao mudar a prioridade', error) })
          }
        />
        {!isFree && (
          <>
            <MenuLine />
            <MenuItem icon={Undo2} onSelect={giveBack}>
              Devolver à fila
            </MenuItem>
          </>
        )}
      </Menu>
      {dialog === 'transfer' && (
        <TransferDialog conversation={conversation} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'finalize' && (
        <FinalizeDialog conversation={conversation} onClose={() => setDialog(undefined)} />
      )}
    </>
  )
}

const priorityOptions = priorities.toReversed().map((value) => ({ value, label: priorityLabels[value] }))

/** Half an hour of silence ends a conversation, unless it is switched off. @see specification §4 Auto-close */
function useToggledAutoClose(conversation: Conversation) {
  const { mutate, isPending } = useAutoClose(conversation)
  const isOff = conversation.disableAutoClose
  return {
    isPending,
    label: isOff ? 'Ativar Auto-Close' : 'Desativar Auto-Close',
    icon: isOff ? Timer : TimerOff,
    toggle: () =>
      mutate(!isOff, {
        onSuccess: () =>
          toast({
            tone: 'success',
            title: isOff
              ? 'Fechamento automático após 30 minutos ativado'
              : 'Fechamento automático após 30 minutos desativado',
          }),
        onError: (error) => sayRefused('Erro ao alterar configuração de fechamento automático', error),
      }),
  }
}
