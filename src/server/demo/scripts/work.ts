import { script } from './script.ts'

/** Equipment support, suppliers, and conversations the shop starts. See script.ts for the notation. */
export const workScenarios = [
  script(
    'seladora',
    ['suporte'],
    8,
    `
c {oi}! A seladora não esquenta | {oi}, a seladora está cortando o saco em vez de selar
  | @video Olha o barulho que ela faz | {oi}, a resistência da seladora queimou de novo
o {opoi} Vamos ver juntos. Qual o modelo? | {opoi} A luz do painel acende?
  | {opoi} Me manda uma foto da fita de teflon?
c= É a de 40 cm | Acende, normal | @image
o Troca o fusível de trás, de 10 A, e liga de novo.
  | A fita de teflon gasta causa isso; vira do outro lado e testa.
  | Baixa a temperatura para 4 e conta três segundos. | @doc Manual da seladora.pdf Faz o passo 3, por favor
c Fiz isso e voltou! | Continua igual | Vou precisar da peça, tem aí?
o= Boa! Se repetir, me chama. | Então melhor mandar para a assistência. Está na garantia até {data}.
  | Tenho, custa R$ 28,00. Mando {dia}, junto com o pedido.
n Seladora 40 cm: troca da resistência. | Orientado sobre a temperatura.`,
  ),
  script(
    'balança',
    ['suporte'],
    6,
    `
c {oi}, a balança não pareia com o sistema | {oi}! A balança está pesando 20 g a mais
  | {oi}, apareceu "Err 6" na balança
o= {opoi} Desliga por 10 segundos e segura o botão azul até piscar.
  | {opoi} Precisa calibrar. Tem o peso padrão de 1 kg aí?
  | {opoi} Esse erro é da célula de carga. Ela levou alguma pancada?
c= Já tentei duas vezes | Tenho sim | Caiu ontem, sim 😬
o= Então tira da tomada por um minuto e tenta de novo.
  | Segura TARA e LIGA juntos até aparecer CAL, aí coloca o peso. | Nesse caso só o técnico. Abro o chamado?
c= Agora foi! | @video Assim? Consegui! | Pode abrir
o= Que bom! Qualquer coisa é só chamar. | Isso! Faça um teste com dois produtos.
  | Chamado {pedido} aberto, o técnico vai {dia}.
n Chamado {pedido}: balança. | Calibração orientada, resolvido.`,
  ),
  script(
    'leitor',
    ['suporte'],
    5,
    `
c {oi}! O leitor de código de barras parou | {oi}, o leitor bipa, mas não aparece nada na tela
  | {oi}, a impressora de etiquetas está pulando etiqueta
o= {opoi} Tira e coloca o cabo USB em outra porta, por favor.
  | {opoi} Deve ter mudado o idioma do teclado. Lê o código da página 2 do manual?
  | {opoi} Faz a calibração: segura FEED até piscar duas vezes.
o? @image | @doc Manual rápido.pdf
c Nada ainda | Voltou!! | Fiz e deu certo | @image Aparece isso
o= Então é o cabo. Mando um novo {dia}, sem custo. | Perfeito. Deixo anotado para a próxima.
  | Ótimo! Da próxima já sabe 😄 | Esse aviso é só de papel; fecha a tampa com força e testa.
n Leitor: resolvido a distância. | Enviar cabo USB novo.`,
  ),
  script(
    'treinamento',
    ['suporte', 'cliente'],
    2,
    `
c {oi}! Contratei gente nova, vocês ensinam a usar a seladora?
  | {oi}, tem vídeo de como montar a caixa de fundo automático?
o= {opoi} Ensinamos! Vou mandar um vídeo e, se quiser, fazemos uma chamada {dia} às {hora}. | {opoi} Tem, sim!
o @video Passo a passo | @round | @gif | @video
c Ficou claro | Muito bom o vídeo, vou passar para eles | Entendi tudo, nem precisa de chamada
n Enviado vídeo de treinamento.`,
  ),
  script(
    'fornecedor entrega',
    ['fornecedor'],
    8,
    `
c {oi}! Entrega de bobinas {dia} às {hora}, confirma? | {oi}, a carga de papelão sai hoje. Quem recebe?
  | {oi}, o caminhão chega aí {dia}, {janela}
o {opoi} Confirmado. A doca 2 está livre. Me passa a placa? | {opoi} Pode vir, procure o Cláudio.
  | {opoi} Nesse horário temos inventário; consegue mais cedo?
c= Placa {placa}, motorista {motorista} | Fechado | Consigo, às 8h
c? @contact {motorista}; {fone}
o Liberado na portaria. | Avisei a portaria e a conferência. | Perfeito, aguardamos.
c? Descarregado, tudo conferido | @image Canhoto assinado | Faltou o canhoto, pode mandar foto?
n Recebimento agendado: {dia}, {hora}.`,
  ),
  script(
    'fornecedor nota',
    ['fornecedor'],
    6,
    `
c {oi}! Segue a nota {nf} | {oi}, vocês receberam o XML da {nf}?
  | {oi}, a nota {nf} está com divergência no peso?
o= {opoi} Recebida, mas veio sem anexo. Manda de novo? | {opoi} Ainda não chegou; pode reenviar?
  | {opoi} Na conferência deu 18 kg a menos. Pode ver?
c= @doc NFe {nf}.pdf | @doc NFe {nf}.xml | @image Esse é o ticket da balança
o= Conferido! Vai para o contas a pagar. | Agora sim, obrigad{op_o}. Pagamento programado para {data}.
  | Entendi. Com a carta de correção eu libero.
n Nota {nf} do fornecedor conferida.`,
  ),
  script(
    'fornecedor preço',
    ['fornecedor'],
    5,
    `
c {oi}! A partir do mês que vem o papel sobe 6% | {oi}, tenho um lote de papel semikraft com preço especial
  | {oi}, segue a nova tabela
o= {opoi} Puxa, de novo? Consegue segurar este pedido no preço antigo? | {opoi} Qual o mínimo?
  | {opoi} Não veio o anexo, reenvia?
c= Seguro até {data} | Mínimo de 2 toneladas, e à vista faço {desc} | @doc Tabela nova.pdf
o= Então mando o pedido ainda hoje. | Vou levar para a Marina e te falo até {dia}.
  | Agora sim. Vou comparar e te retorno.
c= Combinado | Aguardo | Obrigad{cli} pela parceria
n Reajuste de 6% anunciado. | Proposta levada à Marina.`,
  ),
  script(
    'coleta',
    ['fornecedor'],
    4,
    `
c {oi}. Quando vem a coleta? | {oi}, tem carga hoje para {cidade}?
  | {oi}! Consegue liberar a coleta antes das 15h?
o= {opoi} A coleta ficou para {dia}. | {opoi} Tem: são {falta} volumes, 340 kg no total.
  | {opoi} Consigo, está liberada a partir das 14h.
c Ok, mando o {motorista} | Preciso das notas antes | Qual a cubagem?
o= Combinado, procure o Cláudio. | @doc Romaneio {nf}.pdf | Dá 2,4 m³.
n Coleta marcada para {dia}.`,
  ),
  script(
    'reposição sugerida',
    ['iniciada', 'cliente', 'vip'],
    8,
    `
o Oi, {nome}! Aqui é {op_a} {op}, da Empório Aurora. Vi que já faz um tempo do seu último pedido de {prods}.
  Quer que eu já separe a reposição?
  | {bom}, {nome}! Chegou reposição de {prods} e lembrei de você. Como está seu estoque?
  | Oi, {nome}, tudo bem? {op}, da Empório Aurora. Temos rota na sua região {dia}, quer aproveitar?
c Oi! Boa hora, estou quase sem | Oi, {op}! Manda {qtd} | Agora não, obrigad{cli}. Mês que vem
  | Deixa eu olhar o estoque e já te falo | Que bom que chamou, ia escrever hoje
o= Separo {qtd} como da última vez? Fica em R$ {total}.
  | Perfeito! R$ {total}, e entrego {dia}, com frete por nossa conta. | Claro, fico à disposição.
  | Olha com calma, estou por aqui. | Que sintonia! Separo {qtd}? Fica em R$ {total}.
c= Pode ser | Isso | Me chama no começo do mês? | Olhei aqui: preciso de {qtd} | Fechado
o= Pedido {pedido} lançado. | Já está no sistema: {pedido}. | Combinado, anotei na agenda.
  | Lançado: R$ {total}, número {pedido}. | Ótimo, pedido {pedido}, entrega {dia}.
n Contato ativo. Pedido {pedido}. | Contato ativo, retornar até {data}.`,
  ),
  script(
    'cobrança',
    ['iniciada', 'cliente'],
    4,
    `
o {bom}, {nome}. Aqui é {op_a} {op}, da Empório Aurora. Consta em aberto o boleto {nf}, de R$ {valor}, vencido
  em {passada}. Conseguiu ver?
  | Oi, {nome}, tudo bem? Passando para lembrar do boleto {nf}. Precisa de segunda via?
c Nossa, passou batido! Pago hoje | Paguei {ontem}, vou achar o comprovante | Manda a segunda via, por favor
  | Consigo pagar {dia}
o= Obrigad{op_o}! Se puder, me manda o comprovante. | Ah, então desconsidera. Me manda quando achar?
  | @doc Boleto {nf}.pdf | Sem problema, anoto aqui.
c= @image Comprovante | @doc Comprovante.pdf | Pago ✅ | {dia} sem falta
o= Baixado, obrigad{op_o}! | Achei aqui também, está baixado. | Confirmado! | Combinado.
n Cobrança da nota {nf}: prometeu para {dia}.`,
  ),
  script(
    'aviso de entrega',
    ['iniciada', 'cliente', 'vip'],
    6,
    `
o Oi, {nome}! Seu pedido {pedido} saiu para entrega, chega {logo}.
  | {bom}, {nome}! O {motorista} está a caminho com o seu pedido, chega {logo}.
c Oba! Obrigad{cli} | Ok, estou aqui | Tem que ser até as 18h, depois não tem ninguém | 👍
  | Eba, já estava precisando
o? Combinado! | Aviso se atrasar. | Ele já tem o seu telefone, qualquer coisa liga.
c? Chegou | Tudo certo por aqui | @image | @sticker`,
  ),
  script(
    'pesquisa',
    ['iniciada', 'cliente', 'vip'],
    3,
    `
o Oi, {nome}! Estamos escolhendo os próximos produtos da loja e queria sua opinião, são dez segundos 🙂
  | {bom}, {nome}! Me ajuda com uma pergunta rápida?
o @poll Qual embalagem nova você quer ver aqui?; Caixa com visor; Sacola de papel semente; Pote de fibra de
  cana; Envelope de segurança
  | @poll Qual o melhor horário para receber entregas?; Antes das 10h; Das 10h às 14h; Depois das 14h
c Votei! | Prontinho | Difícil escolher kkk | Respondido
o Obrigad{op_o}, ajudou muito! | Valeu, {nome}!`,
  ),
  script(
    'retorno de proposta',
    ['iniciada', 'lead'],
    5,
    `
o Oi, {nome}! {op}, da Empório Aurora. Conseguiu ver o orçamento das {qtd} peças?
  | {bom}, {nome}! O orçamento {pedido} vence {dia}, quer que eu prorrogue?
  | Oi, {nome}, a amostra chegou bem? | Oi, {nome}! Aqui é {op_a} {op}. Conseguiu olhar a nossa proposta?
c= Vi sim, gostei. Só achei o frete alto | Ainda estou comparando, prorroga por favor | Chegou, ficou perfeita
  | Fechei com outro fornecedor, desculpa
o= No frete consigo uma condição melhor: R$ {frete}. | Prorrogado por mais uma semana.
  | Que bom! Fechando até {dia}, consigo {desc} de desconto. | Entendo! Fico à disposição para a próxima.
c= Aí sim, pode fazer | Ótimo | Vou falar com minha sócia e te digo | Obrigad{cli} pela atenção
n Retorno do orçamento {pedido}.`,
  ),
] as const
