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

const agentWords = { answers: 'IA responde', off: 'IA desligada', stopped: 'IA parou' }

/** The switch of the agent in this conversation, while it could answer here. */
export function AgentItem({ conversationId }: { conversationId: number }) {
  const { agent } = useAssistantIn(conversationId)
  const { mutate } = useSwitchAssistant(conversationId)
  if (agent === 'none' || agent === 'ended') return null
  const isOn = agent === 'answers'
  return (
    <>
      <MenuItem
        icon={Sparkles}
        onSelect={() =>
          mutate(isOn, { onError: (error) => toastRefusal('Erro ao mudar a IA da conversa', error) })
        }
      >
        {isOn ? 'Desligar IA nesta conversa' : 'Ligar IA nesta conversa'}
      </MenuItem>
      <MenuLine />
    </>
  )
}

/** Shows that the agent answers here, or that it does no more. */
export function AgentBadge({ conversationId }: { conversationId: number }) {
  const { agent, agentName } = useAssistantIn(conversationId)
  if (agent === 'none' || agent === 'ended') return null
  return (
    <Badge icon={Sparkles} title={agentName || 'Agente de IA'}>
      {agentWords[agent]}
    </Badge>
  )
}
