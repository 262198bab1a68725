import { Sparkles } from 'lucide-react'
import { useAssistantIn, useSwitchAssistant } from '#web/assistant/assistant.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { MenuItem, MenuLine } from '#web/ui/overlays/menu.tsx'
import { tooltip } from '#web/ui/overlays/tooltip.ts'
import { toastRefusal } from '#web/conversations/mutations/conversation-mutations.ts'

/** 'Resumir', where it is switched on. */
export function SummarizeButton({
  conversationId,
  className,
  labelClassName,
  onSummarize,
}: {
  conversationId: number
  className: string
  labelClassName: string
  onSummarize: () => void
}) {
  const { canSummarize } = useAssistantIn(conversationId)
  if (!canSummarize) return null
  return (
    <Button icon={Sparkles} className={className} {...tooltip('Resumir a conversa')} onClick={onSummarize}>
      <span className={labelClassName}>Resumir</span>
    </Button>
  )
}

/** The same on narrow screens. */
export function SummarizeItem({
  conversationId,
  onSummarize,
}: {
  conversationId: number
  onSummarize: () => void
}) {
  const { canSummarize } = useAssistantIn(conversationId)
  if (!canSummarize) return null
  return (
    <MenuItem icon={Sparkles} leadsElsewhere onSelect={onSummarize}>
      Resumir
    </MenuItem>
  )
}

/** The switch of the agent in this conversation, while it could answer here. */
export function AgentItem({ conversationId }: { conversationId: number }) {
  const { agent } = useAssistantIn(conversationId)
  const { mutate } = useSwitchAssistant(conversationId)
  if (agent !== 'answers' && agent !== 'off') return null
  const isOff = agent === 'off'
  return (
    <>
      <MenuItem
        icon={Sparkles}
        onSelect={() =>
          mutate(!isOff, { onError: (error) => toastRefusal('Erro ao mudar a IA da conversa', error) })
        }
      >
        {isOff ? 'Ligar IA nesta conversa' : 'Desligar IA nesta conversa'}
      </MenuItem>
      <MenuLine />
    </>
  )
}

/** Shows that the agent answers here, or that somebody switched it off. */
export function AgentBadge({ conversationId }: { conversationId: number }) {
  const { agent, agentName } = useAssistantIn(conversationId)
  if (agent !== 'answers' && agent !== 'off') return null
  return (
    <Badge icon={Sparkles} title={agentName || 'Agente de IA'}>
      {agent === 'off' ? 'IA desligada' : 'IA responde'}
    </Badge>
  )
}
